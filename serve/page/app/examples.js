// What the page offers to try. Examples are states of its views, as a link has them.

/** @type {{title: string, state: any}[]} */
export const RULE_EXAMPLES = [
  { title: 'ability scores', state: { rules: ['4d6kh3', '3d6'] } },
  {
    title: 'attack',
    state: {
      rules: ['1d20 + [Attack] >= [Target AC]', '2d20kh1 + [Attack] >= [Target AC]'],
      set: { Attack: 7, 'Target AC': 16 },
      over: 'Target AC',
    },
  },
  { title: 'degrees of success', state: { rules: ['1d20 + [Skill] vs 20'], set: { Skill: 9 } } },
  { title: 'great weapons', state: { rules: ['2d6 + 4', '1d12 + 4', '2d6ro<=2 + 4'] } },
  { title: 'exploding dice', state: { rules: ['3d6!', '4d6'], mode: 'least', shape: 'lines' } },
  { title: 'success pool', state: { rules: ['8d10 count>=7'] } },
];

/** @type {{title: string, state: any}[]} */
export const PROGRAM_EXAMPLES = [
  {
    title: 'ability scores',
    state: {
      text:
        'output 3d6 named "three dice"\n' +
        'output [highest 3 of 4d6] named "the best three of four"\n' +
        'output 2d6 + 6 named "heroic"\n',
    },
  },
  {
    title: 'advantage',
    state: {
      text:
        'output 1d20 named "plain"\n' +
        'output 1@2d20 named "advantage"\n' +
        'output 2@2d20 named "disadvantage"\n',
      mode: 'least',
      shape: 'lines',
    },
  },
  {
    title: 'dice pools',
    state: {
      text:
        'loop N over {2, 4, 6, 8} {\n' +
        '  output [count {5, 6} in Nd6] named "[N] dice"\n' +
        '}\n',
    },
  },
  {
    title: 'a function',
    state: {
      text:
        'function: damage of ROLL:n against AC:n {\n' +
        '  if ROLL = 20 { result: 2d8 + 4 }\n' +
        '  if ROLL + 6 >= AC { result: 1d8 + 4 }\n' +
        '  result: 0\n' +
        '}\n' +
        'output [damage of d20 against 15] named "damage"\n',
    },
  },
];

/** @param {string} creature @param {number} count */
const group = (creature, count) => ({ creature, count });

/** @type {{title: string, state: any}[]} */
export const ENCOUNTER_EXAMPLES = [
  {
    title: 'troll and goblins',
    state: {
      sides: [
        { creatures: [group('Veteran', 4)] },
        { creatures: [group('Troll', 2), group('Goblin', 4)] },
      ],
    },
  },
  {
    title: 'wolf pack',
    state: { sides: [{ creatures: [group('Knight', 3)] }, { creatures: [group('Wolf', 10)] }] },
  },
  {
    title: 'ambush',
    state: {
      sides: [
        { creatures: [group('Scout', 3)] },
        { creatures: [group('Wolf', 5)], surprised: true },
      ],
    },
  },
  {
    title: 'dragon',
    state: {
      sides: [
        { creatures: [group('Gladiator', 4)] },
        { creatures: [group('Young Red Dragon', 1)] },
      ],
    },
  },
];

export const DAY_EXAMPLES = [
  {
    title: 'level 5',
    state: {
      party: 'champion 5, life cleric 5, evoker 5, thief 5',
      steps: ['6 Goblin, 1 Bugbear', 'short rest', '2 Ogre, 1 Troll', 'long rest', '1 Young White Dragon'],
    },
  },
  {
    title: 'the watch',
    state: { party: '4 Veteran', steps: ['6 Orc', '4 Wolf, 2 Worg', 'short rest', '2 Ogre'] },
  },
];

const ATTACKS = `Attacker,Action,Attack,Strength,Target,Target Defense,Target Health
Goblin,Scimitar,4,2,Guard,16,11
Bandit,Scimitar,3,1,Scout,13,16
Orc,Greataxe,5,3,Guard,16,11
Brown Bear,Claws,5,4,Orc,13,15
Ogre,Greatclub,6,4,Knight,18,52
Owlbear,Claws,7,5,Ogre,11,59
Troll,Claw,7,4,Knight,18,52
Hill Giant,Greatclub,8,5,Gladiator,16,112
Fire Giant,Greatsword,11,7,Stone Golem,17,178
Adult Red Dragon,Bite,14,8,Fire Giant,18,162
`;

const FIGHTS = `Fight,Party,Monsters
Patrol,4 Guard,5 Goblin
Bridge,4 Veteran,"6 Goblin, 1 Hobgoblin"
Cave,4 Veteran,"1 Troll, 6 Goblin"
Lair,4 Veteran,"2 Troll, 4 Goblin"
Pack,3 Knight,9 Wolf
Peak,4 Gladiator,1 Young Red Dragon
`;

/** @type {{title: string, state: any}[]} */
export const TABLE_EXAMPLES = [
  {
    title: 'attacks and targets',
    state: {
      name: 'attacks.csv',
      text: ATTACKS,
      rules: [
        { name: 'hit', rule: '1d20 + [Attack] >= [Target Defense]' },
        { name: 'damage', rule: '1d8 + [Strength]' },
      ],
    },
  },
  {
    title: 'a campaign of fights',
    state: { name: 'fights.csv', text: FIGHTS, rules: [], encounters: true },
  },
];
