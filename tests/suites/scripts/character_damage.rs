//! The damage of characters by class and level against armour class 15 in four rounds: computed by
//! hand from the rules, and that of fights.

use dicec_compiler::unstable::Backend;
use dicec_compiler::{Compiler, Simulation};
use dicec_fights::compile_encounter;
use dicec_games::encounter::{Bestiary, Encounter, Plan, Purpose, Told};
use serde_json::json;

pub(crate) const CLASSES: [&str; 12] = [
    "barbarian",
    "bard",
    "cleric",
    "druid",
    "fighter",
    "monk",
    "paladin",
    "ranger",
    "rogue",
    "sorcerer",
    "warlock",
    "wizard",
];

const LEVELS: [usize; 4] = [1, 5, 11, 17];

/// Fights of each character.
const TRIALS: u64 = 40_000;

/// The numbers of a character at one of [`LEVELS`], by the tables of the rules.
#[derive(Clone, Copy)]
struct Numbers {
    /// The index of its level.
    at: usize,
    /// Whether the rules are those of 5.2.
    is_new: bool,
    proficiency: i32,
    /// The modifier of the first ability: 15 with 1 or 2 more, and improvements at 4 and 8.
    modifier: i32,
}

impl Numbers {
    fn of(at: usize, is_new: bool) -> Self {
        Self {
            at,
            is_new,
            proficiency: [2, 3, 4, 6][at],
            modifier: [3, 4, 5, 5][at],
        }
    }

    fn bonus(&self) -> i32 {
        self.proficiency + self.modifier
    }

    /// One of four numbers by level.
    fn by(&self, numbers: [i32; 4]) -> i32 {
        numbers[self.at]
    }
}

/// The chances of an attack roll against armour class 15.
#[derive(Clone, Copy)]
struct Roll {
    hits: f64,
    /// Hits that are critical.
    critical: f64,
}

impl Roll {
    fn new(bonus: i32, lowest: i32) -> Self {
        let count = |is: &dyn Fn(i32) -> bool| (1..=20).filter(|face| is(*face)).count();
        let hits = |face: i32| face == 20 || face != 1 && face + bonus >= 15;
        Self {
            hits: count(&hits) as f64 / 20.0,
            critical: count(&|face| hits(face) && face >= lowest) as f64 / 20.0,
        }
    }

    fn with_advantage(self) -> Self {
        let twice = |p: f64| 1.0 - (1.0 - p) * (1.0 - p);
        Self {
            hits: twice(self.hits),
            critical: twice(self.critical),
        }
    }

    /// The average damage of an attack with these dice, and a number.
    fn damage(&self, dice: f64, bonus: i32) -> f64 {
        self.hits * (dice + f64::from(bonus)) + self.critical * dice
    }

    /// The average of dice that each hit adds: critical ones twice.
    fn dice(&self, dice: f64) -> f64 {
        self.damage(dice, 0)
    }
}

/// The average of dice.
fn d(count: i32, sides: i32) -> f64 {
    f64::from(count) * f64::from(sides + 1) / 2.0
}

/// The chance of at least `least` successes in a number of tries.
fn at_least(least: usize, tries: usize, p: f64) -> f64 {
    let mut chances = vec![1.0];
    for _ in 0..tries {
        let mut next = vec![0.0; chances.len() + 1];
        for (count, chance) in chances.iter().enumerate() {
            next[count] += chance * (1.0 - p);
            next[count + 1] += chance * p;
        }
        chances = next;
    }
    chances.iter().skip(least).sum()
}

/// The damage in four rounds by the rules and the tactics of docs/encounters.md.
fn expected(class: &str, numbers: Numbers) -> f64 {
    match class {
        "barbarian" => barbarian(numbers),
        "fighter" => fighter(numbers),
        "monk" => monk(numbers),
        "paladin" => paladin(numbers),
        "ranger" => ranger(numbers),
        "rogue" => rogue(numbers),
        _ => 4.0 * caster(class, numbers),
    }
}

/// A greataxe. It rages in its first turn; Reckless Attack from level 2 on, the Berserker's frenzy
/// from level 3 on: an attack as a bonus action in turns after the first (5.1), or dice for the
/// first hit of each turn (5.2). Brutal Critical adds 1 and 3 dice at levels 11 and 17 (5.1).
fn barbarian(numbers: Numbers) -> f64 {
    let rage = numbers.by([2, 2, 3, 4]);
    let plain = Roll::new(numbers.bonus(), 20);
    let roll = match numbers.at {
        0 => plain,
        _ => plain.with_advantage(),
    };
    let brutal = if numbers.is_new {
        0
    } else {
        numbers.by([0, 0, 1, 3])
    };
    // 5.2 has one more of Strength, of which nothing follows at these levels.
    let each = roll.damage(d(1, 12), numbers.modifier + rage) + roll.critical * d(brutal, 12);
    let attacks = numbers.by([1, 2, 2, 2]);
    let frenzy = match (numbers.at, numbers.is_new) {
        (0, _) => 0.0,
        (_, false) => 3.0 * each,
        (_, true) => {
            let first: f64 = (0..attacks)
                .map(|index| (1.0 - roll.hits).powi(index))
                .sum();
            4.0 * first * roll.dice(d(rage, 6))
        }
    };
    4.0 * f64::from(attacks) * each + frenzy
}

/// A longsword with a shield and Dueling (5.1), or a greatsword that grazes (5.2). A champion's
/// hits are critical with 19, and from level 15 on with 18; Action Surge once, and twice at 17.
fn fighter(numbers: Numbers) -> f64 {
    let roll = Roll::new(numbers.bonus(), numbers.by([20, 19, 19, 18]));
    let attacks = numbers.by([1, 2, 3, 3]);
    let actions = 4 + numbers.by([0, 1, 1, 2]);
    let each = match numbers.is_new {
        false => roll.damage(d(1, 8), numbers.modifier + 2),
        true => {
            let graze = (1.0 - roll.hits) * f64::from(numbers.modifier);
            roll.damage(d(2, 6), numbers.modifier) + graze
        }
    };
    f64::from(attacks * actions) * each
}

/// A quarterstaff or a spear in both hands, and unarmed strikes: one as a bonus action, from level
/// 2 on a flurry of two; in 5.2 of three from level 10 on. Ki lasts for more than four rounds.
fn monk(numbers: Numbers) -> f64 {
    let roll = Roll::new(numbers.bonus(), 20);
    let own = match numbers.is_new {
        false => numbers.by([4, 6, 8, 10]),
        true => numbers.by([6, 8, 10, 12]),
    };
    let unarmed = match numbers.is_new {
        false => numbers.by([1, 2, 2, 2]),
        true => numbers.by([1, 2, 3, 3]),
    };
    let armed =
        f64::from(numbers.by([1, 2, 2, 2])) * roll.damage(d(1, own.max(8)), numbers.modifier);
    4.0 * (armed + f64::from(unarmed) * roll.damage(d(1, own), numbers.modifier))
}

/// A longsword and a shield: Dueling in 5.1 from level 2 on, 1d8 more from level 11 on. Each hit is
/// a smite with the highest slot (5.1), or the first hit of a turn is (5.2).
fn paladin(numbers: Numbers) -> f64 {
    let roll = Roll::new(numbers.bonus(), 20);
    let attacks = numbers.by([1, 2, 2, 2]);
    let duels = if numbers.is_new || numbers.at == 0 {
        0
    } else {
        2
    };
    let radiant = if numbers.at >= 2 { d(1, 8) } else { 0.0 };
    let weapon = roll.damage(d(1, 8), numbers.modifier + duels) + roll.dice(radiant);
    let swings = 4 * attacks as usize;
    let slots: [&[usize]; 4] = [&[], &[4, 2], &[4, 3, 3], &[4, 3, 3, 3, 1]];
    let levels = slots[numbers.at].iter().enumerate().rev();
    let levels = levels.flat_map(|(index, count)| vec![index + 1; *count]);
    let one = 4.5 * (1.0 + roll.critical / roll.hits);
    let in_turn = 1.0 - (1.0 - roll.hits).powi(attacks);
    let smites: f64 = levels
        .enumerate()
        .map(|(before, level)| match numbers.is_new {
            false => at_least(before + 1, swings, roll.hits) * (level + 1).min(5) as f64 * one,
            true => at_least(before + 1, 4, in_turn) * (level + 1) as f64 * one,
        })
        .sum();
    swings as f64 * weapon + smites
}

/// A weapon attack of a sequence: its dice and the number that it adds, and whether it vexes.
#[derive(Clone, Copy)]
struct Swing {
    dice: f64,
    bonus: i32,
    vexes: bool,
}

/// Dice that the first fitting hit of a turn adds.
#[derive(Clone, Copy)]
enum Once {
    Always(f64),
    /// If the enemy has been hit before.
    OnWounded(f64),
}

/// The damage of four equal turns of attacks: over all sequences of hits and misses, with the
/// advantage that a hit that vexes gives to the next attack.
fn turns(roll: Roll, swings: &[Swing], once: Option<Once>) -> f64 {
    fn go(roll: Roll, swings: &[Swing], once: Option<Once>, index: usize, state: [bool; 3]) -> f64 {
        if index == 4 * swings.len() {
            return 0.0;
        }
        let [vexed, wounded, used] = state;
        let is_first = index.is_multiple_of(swings.len());
        let used = used && !is_first;
        let swing = swings[index % swings.len()];
        let own = if vexed { roll.with_advantage() } else { roll };
        let extra = match once {
            Some(Once::Always(dice)) if !used => dice,
            Some(Once::OnWounded(dice)) if !used && wounded => dice,
            _ => 0.0,
        };
        let after_hit = [swing.vexes, true, used || extra > 0.0];
        let after_miss = [false, wounded, used];
        own.damage(swing.dice + extra, swing.bonus)
            + own.hits * go(roll, swings, once, index + 1, after_hit)
            + (1.0 - own.hits) * go(roll, swings, once, index + 1, after_miss)
    }
    go(roll, swings, once, 0, [false; 3])
}

/// Two shortswords (5.1), or a shortsword that vexes and a scimitar (5.2), whose attack adds the
/// modifier from level 2 on, with Hunter's Mark (5.2). The Hunter slays colossi: 1d8 once a turn on
/// a wounded enemy.
fn ranger(numbers: Numbers) -> f64 {
    // Their mark adds 1d6 to each hit.
    let marked = if numbers.is_new { d(1, 6) } else { 0.0 };
    let main = Swing {
        dice: d(1, 6) + marked,
        bonus: numbers.modifier,
        vexes: numbers.is_new,
    };
    let off = Swing {
        bonus: if numbers.at == 0 { 0 } else { numbers.modifier },
        vexes: false,
        ..main
    };
    let mut swings = vec![main; numbers.by([1, 2, 2, 2]) as usize];
    swings.push(off);
    let once = (numbers.at > 0).then_some(Once::OnWounded(d(1, 8)));
    turns(Roll::new(numbers.bonus(), 20), &swings, once)
}

/// Two shortswords (5.1), or a shortsword that vexes and a dagger (5.2); an ally is close.
fn rogue(numbers: Numbers) -> f64 {
    let main = Swing {
        dice: d(1, 6),
        bonus: numbers.modifier,
        vexes: numbers.is_new,
    };
    let off = Swing {
        dice: if numbers.is_new { d(1, 4) } else { d(1, 6) },
        bonus: 0,
        vexes: false,
    };
    let sneak = Once::Always(d(numbers.by([1, 3, 6, 9]), 6));
    turns(Roll::new(numbers.bonus(), 20), &[main, off], Some(sneak))
}

/// The damage of a turn without slots: a cantrip or the weapon, whichever is worth more if ranged
/// attacks count with disadvantage.
fn caster(class: &str, numbers: Numbers) -> f64 {
    let Numbers { is_new, .. } = numbers;
    let count = numbers.by([1, 2, 3, 4]);
    let roll = Roll::new(numbers.bonus(), 20);
    let fails = f64::from(8 + numbers.bonus() - 1) / 20.0;
    // The modifiers of Strength or Dexterity for the usual weapon.
    let weapon = |modifier: i32, sides: i32, is_ranged: bool| {
        let roll = Roll::new(numbers.proficiency + modifier, 20);
        let worth = roll.hits * (d(1, sides) + f64::from(modifier));
        let worth = if is_ranged { worth * roll.hits } else { worth };
        (worth, roll.damage(d(1, sides), modifier))
    };
    let save = |sides: i32, bonus: i32| {
        let damage = fails * (d(count, sides) + f64::from(bonus));
        (damage, damage)
    };
    let bolt = |count: i32, sides: i32, bonus: i32, times: i32| {
        let one = roll.hits * (d(count, sides) + f64::from(bonus));
        let damage = f64::from(times) * roll.damage(d(count, sides), bonus);
        (roll.hits * f64::from(times) * one, damage)
    };
    let blessed = if is_new && numbers.at >= 2 {
        numbers.modifier
    } else {
        0
    };
    let crossbow = weapon(if is_new { 1 } else { 2 }, 8, true);
    let all = match class {
        // Dexterity is the second score: 15, or 14 and 16 with 5.2's background.
        "bard" => [weapon(2, 8, false), save(if is_new { 6 } else { 4 }, 0)],
        "cleric" => [
            weapon(if is_new { 1 } else { 2 }, 6, false),
            save(8, blessed),
        ],
        "druid" => [
            weapon(if is_new { 1 } else { 2 }, 6, false),
            // The circle of the arid land has Fire Bolt (5.2).
            bolt(
                count,
                if is_new && numbers.at > 0 { 10 } else { 8 },
                blessed,
                1,
            ),
        ],
        "warlock" => {
            // Agonizing Blast needs level 2.
            let bonus = if numbers.at == 0 { 0 } else { numbers.modifier };
            [crossbow, bolt(1, 10, bonus, count)]
        }
        _ => [crossbow, bolt(count, 10, 0, 1)],
    };
    let best = all
        .into_iter()
        .max_by(|one, other| one.0.total_cmp(&other.0));
    best.map_or(0.0, |one| one.1)
}

/// The damage of a character in four rounds, and how far the average of the fights may be from the
/// expected value: a standard deviation.
fn fought(name: &str, is_caster: bool) -> (f64, f64) {
    let idle = |name: &str, ac: i64, hp: i64| json!({ "name": name, "ac": ac, "hp": hp });
    let limited = if is_caster { "never" } else { "always" };
    // A spell of paladins from level 17 on, which they would cast instead of their attacks, and the
    // mark of rangers, which takes the bonus action of their first turn (5.1).
    let without: &[&str] = match name {
        name if name.starts_with("paladin 17") => &["Flame Strike"],
        name if name.starts_with("ranger")
            && name.ends_with("(5.1)")
            && name != "ranger 1 (5.1)" =>
        {
            &["Hunter's Mark"]
        }
        _ => &[],
    };
    let document = json!({
        "initiative": "listed", "rounds": 4,
        "without": without,
        "sides": [
            {
                "creatures": [{ "creature": name }, { "creature": idle("Friend", 10, 1) }],
                "limited": limited,
            },
            { "creatures": [{ "creature": idle("Dummy", 15, 100_000) }] },
        ],
    });
    let encounter = Encounter::read(&document).expect("it is an encounter");
    let plan = Plan::new(&encounter, &Bestiary::srd()).unwrap_or_else(|wrong| panic!("{wrong}"));
    let bound = compile_encounter(&Compiler::new(), &plan, Told::Figures, Purpose::Trials);
    let bound = bound.unwrap_or_else(|failure| panic!("{failure}"));
    let asked = Simulation::trials(TRIALS).seed(7).backend(Backend::Jit);
    let report = bound.simulate(&asked).expect("fights do not trap");
    let answer = bound.sampled(report);
    let mut stats = answer.stats.iter();
    let left = stats.find(|stat| stat.name == "Dummy: hit points");
    let odds = left
        .and_then(|left| left.odds.as_ref())
        .expect("it is noted");
    let sigma = odds.sd().unwrap_or(0.0) / (TRIALS as f64).sqrt();
    (100_000.0 - odds.mean(), sigma)
}

/// Each class has its turn at one level of each edition; `DICEC_CHARACTERS=all` is all of them.
#[test]
fn damage_is_that_of_the_rules() {
    let all = std::env::var("DICEC_CHARACTERS").is_ok();
    let mut wrong = Vec::new();
    for (index, class) in CLASSES.into_iter().enumerate() {
        for is_new in [false, true] {
            let turn = index + usize::from(is_new);
            for (at, level) in LEVELS.into_iter().enumerate() {
                if !all && at != turn % LEVELS.len() {
                    continue;
                }
                let edition = if is_new { "5.2" } else { "5.1" };
                let name = format!("{class} {level} ({edition})");
                let slots = ["bard", "cleric", "druid", "sorcerer", "warlock", "wizard"];
                let (damage, sigma) = fought(&name, slots.contains(&class));
                let expected = expected(class, Numbers::of(at, is_new));
                if (damage - expected).abs() > 5.0 * sigma {
                    wrong.push(format!("{name}: {damage} ({sigma}), not {expected}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
