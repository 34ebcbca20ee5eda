// What the page offers to try. Examples are states of its views, as a link has them.

/** @type {{title: string, state: any}[]} */
export const RULE_EXAMPLES = [
  { title: 'ability scores', state: { rules: ['4d6kh3', '3d6'] } },
  { title: 'attack', state: { rules: ['1d20 + [Attack] >= [Target AC]', '2d20kh1 + [Attack] >= [Target AC]'], set: { Attack: 7, 'Target AC': 16 }, over: 'Target AC' } },
  { title: 'degrees of success', state: { rules: ['1d20 + [Skill] vs 20'], set: { Skill: 9 } } },
  { title: 'great weapons', state: { rules: ['2d6 + 4', '1d12 + 4', '2d6ro<=2 + 4'] } },
  { title: 'exploding dice', state: { rules: ['3d6!', '4d6'], mode: 'least', shape: 'lines' } },
  { title: 'success pool', state: { rules: ['8d10 count>=7'] } },
];
