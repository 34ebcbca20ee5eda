// A compiled roll against that of another library, in one run: the time of one roll in microseconds.

import { pathToFileURL } from 'node:url';

const { compile } = await import(new URL('index.js', pathToFileURL(`${process.env.DICEC_NPM}/`)));
const other = await import(pathToFileURL(`${process.env.DICEC_OTHER}/lib/esm/bundle.min.js`));

/** The median of five runs. */
function time(call) {
  const runs = Array.from({ length: 5 }, () => {
    const start = performance.now();
    for (let count = 0; count < 2_000; count += 1) call();
    return (performance.now() - start) / 2;
  });
  return runs.sort((a, b) => a - b)[2];
}

for (const rule of ['1d20+5', '4d6kh3', '10d6', '3d10!']) {
  const compiled = compile(rule, { dialect: 'notation' });
  // The other side as its documents use it, and in its strongest form: parsed once, then rolled again.
  const parsed = new other.DiceRoll(rule);
  const ours = time(() => compiled.roll().total);
  const usual = time(() => new other.DiceRoll(rule).total);
  const again = time(() => (parsed.roll(), parsed.total));
  const times = (theirs) => `${theirs.toFixed(2)} us (ours is ${(theirs / ours).toFixed(1)} times as fast)`;
  console.log(`${rule}: ${ours.toFixed(2)} us; rpg-dice-roller ${times(usual)}, parsed before ${times(again)}`);
}
