// The package as people use it: node --test wasm/package/test, with the folder of the package in DICEC_NPM.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

const folder = pathToFileURL(`${process.env.DICEC_NPM}/`);
const { compile, roll, script, DicecError } = await import(new URL('index.js', folder));

const SCRIPT = `defroll "Attack" attack(bonus: int) {
  if (userOption("Bless?")) { bonus += roll(d4); }
  return roll(d20) + bonus;
}`;

/** The error of a call. */
function wrong(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof DicecError, String(error));
    return error;
  }
  return assert.fail('nothing is thrown');
}

test('a rule rolls without a seed, and again with the seed that it tells', () => {
  const rule = compile('4d6kh3');
  const first = rule.roll();
  assert.equal(first.dice.length, 4);
  assert.deepEqual(rule.roll({ seed: first.seed }), first);
  const totals = new Set(Array.from({ length: 100 }, () => rule.roll().total));
  assert.ok(totals.size > 5, 'seeds differ');
});

test('one roll in one call', () => {
  const { total } = roll('2d6+[Bonus]', { resources: { Bonus: 10 } });
  assert.ok(total >= 12 && total <= 22);
});

test('faces of physical dice', () => {
  const made = compile('2d6+3').roll({ faces: [6, 5] });
  assert.equal(made.total, 14);
  assert.equal(made.seed, null);
  assert.match(made.rendered, /2d6\[6, 5\]/);
});

test('too few faces are an error with a code', () => {
  const error = wrong(() => compile('2d6').roll({ faces: [6] }));
  assert.equal(error.code, 'D0305');
  assert.match(error.message, /die 2 has none/);
});

test('so is a face that is left over, for it may belong to another roll', () => {
  const error = wrong(() => compile('2d6').roll({ faces: [6, 5, 4] }));
  assert.equal(error.code, 'D0307');
  assert.match(error.message, /face 3 belongs to no die/);
});

test('a source of numbers of the caller', () => {
  const numbers = [0, 0.999];
  const made = compile('2d6').roll({ random: () => numbers.shift() });
  assert.deepEqual(made.dice.map((die) => die.face), [1, 6]);
});

test('an error of the source is thrown as it is', () => {
  const oops = new Error('the bowl fell over');
  const random = () => {
    throw oops;
  };
  assert.throws(() => compile('2d6').roll({ random }), (error) => error === oops);
});

test('the die that is rolled next', () => {
  const rule = compile('1d6! + 1d8');
  assert.equal(rule.next(), 6);
  assert.equal(rule.next({ faces: [6] }), 6, 'it explodes');
  assert.equal(rule.next({ faces: [3] }), 8);
  assert.equal(rule.next({ faces: [3, 8] }), null);
  assert.equal(compile('1d6r<=1').next(), 6, 'nothing is made up after it');
  assert.match(wrong(() => rule.next({ faces: [7] })).message, /face/);
});

test('exact odds', () => {
  const attack = compile('1d20 + [Attack] >= 15');
  const odds = attack.odds({ resources: { Attack: 6 } });
  assert.equal(odds.exact, true);
  assert.equal(odds.p, 0.6);
  assert.equal(compile('4d6kh3').odds().denominator, '1296');
});

test('a simulation is near the odds, and can be cancelled', () => {
  const rule = compile('3d6');
  const sampled = rule.simulate({ trials: 200_000, seed: 1 });
  assert.ok(Math.abs(sampled.mean - 10.5) < 5 * (2.958 / Math.sqrt(200_000)));
  assert.ok(!('elapsed_ns' in sampled), 'there is no clock');
  const error = wrong(() => rule.simulate({ trials: 1e9, seed: 1, progress: () => false }));
  assert.match(error.message, /cancel/i);
});

test('mistakes have a code, a span in UTF-16 and help', () => {
  const text = '[Kälte] + 2d6 + foo';
  const error = wrong(() => compile(text));
  assert.match(error.code, /^D\d{4}$/);
  assert.equal(text.slice(error.span.start, error.span.end), 'foo');
  const missing = wrong(() => compile('1d20 + [Attack]').roll());
  assert.match(missing.message, /Attack/);
  assert.deepEqual(missing.span, { start: 7, end: 15 });
});

test('dice have their place in the text, also behind letters of several bytes', () => {
  const text = '[Kälte] + 2d6 + 1d8';
  const made = compile(text).roll({ seed: 1, resources: { Kälte: 1 } });
  const terms = made.dice.map(({ span }) => text.slice(span.start, span.end));
  assert.deepEqual(terms, ['2d6', '2d6', '1d8']);
  const source = `// 😀 Kälte\n${SCRIPT}`;
  const { roll: played } = script(source).session({ args: { bonus: 5 }, seed: 1 });
  const { span, dice } = played.rolls[0];
  assert.equal(source.slice(span.start, span.end), 'roll(d20)');
  assert.equal(source.slice(dice[0].span.start, dice[0].span.end), 'd20');
});

test('a script is played with choices, and dice keep their faces', () => {
  const attack = script(SCRIPT);
  assert.deepEqual(attack.options, ['Bless?']);
  assert.equal(attack.rolls[0].name, 'attack');
  const session = attack.session({ args: { bonus: 5 }, seed: 1 });
  const before = session.roll;
  const after = session.choose('Bless?');
  assert.deepEqual(after.rolls[1].dice[0].face, before.rolls[0].dice[0].face);
  assert.ok(after.result > before.result);
  assert.match(wrong(() => session.choose('Blessing?')).message, /Blessing/);
});

test('a script has odds, too', () => {
  const { result } = script(SCRIPT).odds({ args: { bonus: 5 } });
  assert.equal(result.mean, 15.5);
});

test('wrong calls say what is wrong', () => {
  assert.throws(() => compile(6), TypeError);
  assert.throws(() => compile('d6', { dialect: 'roll20' }), RangeError);
  assert.throws(() => compile('d6').roll({ seed: 1.5 }), RangeError);
  assert.throws(() => compile('d6').roll({ seed: 1, faces: [1] }), TypeError);
  assert.throws(() => compile('d6').roll({ faces: [1.5] }), RangeError);
  assert.match(wrong(() => compile('[A]').roll({ resources: { A: '2d6' } })).message, /whole number/);
  assert.match(wrong(() => script(SCRIPT).roll()).message, /bonus/);
});

test('the examples of the documents run', async () => {
  const root = new URL('../../../', import.meta.url);
  for (const file of ['wasm/package/README.md', 'docs/how-to/virtual-tabletop.md']) {
    const document = await readFile(new URL(file, root), 'utf8');
    const blocks = [...document.matchAll(/```js\n([^]*?)```/g)];
    assert.ok(blocks.length > 0, file);
    for (const [, block] of blocks) {
      const code = block.replaceAll("'dicec'", `'${new URL('index.js', folder)}'`);
      await import(`data:text/javascript,${encodeURIComponent(code)}`);
    }
  }
});
