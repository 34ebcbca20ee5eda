// The types as an editor sees them: this file is checked, not run.

import { compile, roll, script, DicecError, type Odds, type Roll } from 'dicec';

const made: Roll = roll('4d6kh3', { seed: 1 });
const total: number | null = made.total;
const attack = compile('1d20 + [Attack] >= 15', { dialect: 'rulebook' });
const odds: Odds = attack.odds({ resources: { Attack: 6 }, progress: (done, of) => done < of });
const played = script('defroll "A" a() { return roll(d20); }').roll();
const offered: string[] = played.options.map((option) => option.text);
// @ts-expect-error: resources are numbers.
attack.roll({ resources: { Attack: 'six' } });
// @ts-expect-error: there is no such dialect.
compile('d6', { dialect: 'roll20' });
try {
  compile('d');
} catch (error) {
  if (error instanceof DicecError) console.log(error.span?.start, error.help, total, odds.p, offered);
}
