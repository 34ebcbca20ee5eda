// Scripts to try. Each is a state of the view of scripts, as a link has it.

const SNEAK = `// A rogue strikes. Choices come up where a player makes them: dice that have fallen stay.

defroll "Sneak attack" sneak(bonus: int = 6, ac: int = 15) {
    die = roll(d20);
    if (userOption("Rogue", "Use inspiration?")) {
        die = max(die, roll(d20));
    }
    if (die != 20 && die + bonus < ac) {
        output("A miss with " + die);
        return 0;
    }
    damage = roll(1d6 + 4);
    if (userOption("Rogue", "Sneak attack?")) {
        damage += roll(3d6);
    }
    output("A hit for " + damage);
    return damage;
}
`;

const DUEL = `// Two fighters, until one of them falls.

deftype fighter {
    name: string,
    hp: int = 20,
    ac: int = 14,
    attack: int = 5,
    damage: dice = 1d8 + 3,
}

deffun strike(attacker: fighter, defender: fighter) {
    die = roll(d20);
    if (die == 20) {
        defender.hp -= roll(critical(attacker.damage));
    } else if (die != 1 && die + attacker.attack >= defender.ac) {
        defender.hp -= roll(attacker.damage);
    }
}

defroll "Duel" duel(first: fighter, second: fighter) {
    rounds = 0;
    while (first.hp > 0 && second.hp > 0) {
        rounds++;
        strike(first, second);
        if (second.hp > 0) {
            strike(second, first);
        }
    }
    stat("rounds", rounds);
    output((first.hp > 0 ? first.name : second.name) + " wins");
    return first.hp > 0;
}
`;

const TREASURE = `// What is in the chest? Tables are functions of a number.

enum rarity { common, rare, legendary }

table lock : rarity {
    1-70: common,
    71-95: rare,
    96-100: legendary,
}

defroll "Treasure" treasure(keys: int = 2) {
    gold = 0;
    repeat (keys) {
        match (lock(roll(d100))) {
            common: {
                gold += roll(2d6);
            }
            rare: {
                gold += roll(6d6) * 5;
                output("A rare find");
            }
            legendary: {
                gold += roll(4d6) * 100;
                output("A legend!");
            }
        }
    }
    stat("gold for each key", gold / max(keys, 1));
    return gold;
}
`;

const POOL = `// How far does a pool of dice go, if sixes are rolled again?

import std.pools;

defroll "Pool" pool(dice: int = 6, difficulty: int = 5) {
    hits = explodingPool(dice, difficulty);
    output(hits == 0 ? "Nothing" : "Successes: " + hits);
    return hits;
}
`;

/** @type {{title: string, state: any}[]} */
export const SCRIPT_EXAMPLES = [
  { title: 'Sneak attack: choices', state: { text: SNEAK, seed: 7 } },
  {
    title: 'Duel: a fight and its rounds',
    state: {
      text: DUEL,
      mode: 'odds',
      what: 'rounds',
      args: {
        first: { name: 'Ayla', hp: 24, ac: 16, attack: 6, damage: '1d8+3' },
        second: { name: 'the orc', hp: 30, ac: 13, attack: 5, damage: '1d12+3' },
      },
    },
  },
  { title: 'Treasure: tables', state: { text: TREASURE, mode: 'odds' } },
  { title: 'Pool: a library', state: { text: POOL, mode: 'odds' } },
];
