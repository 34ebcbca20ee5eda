use dicec_compiler::Compiler;
use dicec_runtime::pmf::Limits;
use dicec_runtime::resource::ResourceTable;
use dicec_tables::{Batch, Columns, Method, Numbers, Varying};
use serde_json::json;
use std::time::Instant;

const HEADER: [&str; 7] = ["bonus", "ac", "hp", "count", "sides", "damage", "dice"];
const P: &str = "bonus: int, ac: int, hp: int, count: int, sides: int, damage: int, dice: dice";

fn scripts() -> Vec<(&'static str, String)> {
    let s = |body: &str| format!("defroll \"Drop\" drop({P}) {{ {body} }}");
    vec![
        ("attacks", include_str!("../src/table.dice").to_owned()),
        ("save", s("left = hp; repeat (3) { dealt = roll(count + \"d\" + sides) + damage; if (roll(d20) + bonus >= ac) { dealt = dealt / 2; } left -= dealt; } return left <= 0;")),
        ("advantage", s("left = hp; repeat (3) { natural = max(roll(d20), roll(d20)); if (natural == 20) { left -= roll((2 * count) + \"d\" + sides) + damage; } else if (natural != 1 && natural + bonus >= ac) { left -= roll(count + \"d\" + sides) + damage; } } return left <= 0;")),
        ("resistance", s("left = hp; repeat (3) { natural = roll(d20); if (natural + bonus >= ac) { left -= (roll(count + \"d\" + sides) + damage) / 2 + roll(2d6); } } return left <= 0;")),
        ("rounds", s("left = hp; rounds = 0; while (left > 0 && rounds < 10) { rounds += 1; natural = roll(d20); if (natural == 20) { left -= roll((2 * count) + \"d\" + sides) + damage; } else if (natural != 1 && natural + bonus >= ac) { left -= roll(count + \"d\" + sides) + damage; } } return rounds;")),
        ("dicetext", s("left = hp; repeat (3) { natural = roll(d20); if (natural == 20) { left -= roll(critical(dice)); } else if (natural + bonus >= ac) { left -= roll(dice); } } return left <= 0;")),
        ("left", s("left = hp; repeat (3) { natural = roll(d20); if (natural + bonus >= ac) { left -= roll(count + \"d\" + sides) + damage; } } return left;")),
        ("helper", format!("deffun blow(bonus: int, ac: int, count: int, sides: int, damage: int): int {{ n = roll(d20); if (n == 20) {{ return roll((2 * count) + \"d\" + sides) + damage; }} if (n == 1 || n + bonus < ac) {{ return 0; }} return roll(count + \"d\" + sides) + damage; }} defroll \"Drop\" drop({P}) {{ left = hp; repeat (3) {{ left -= blow(bonus, ac, count, sides, damage); }} return left <= 0; }}")),
        ("record", format!("deftype foe {{ hp: int, ac: int }} deffun strike(f: foe, bonus: int, count: int, sides: int, damage: int) {{ n = roll(d20); if (n == 20) {{ f.hp -= roll((2 * count) + \"d\" + sides) + damage; }} else if (n + bonus >= f.ac) {{ f.hp -= roll(count + \"d\" + sides) + damage; }} }} defroll \"Drop\" drop({P}) {{ f = foe {{ hp: hp, ac: ac }}; repeat (3) {{ strike(f, bonus, count, sides, damage); }} return f.hp <= 0; }}")),
        ("stats", s("left = hp; hits = 0; repeat (3) { if (roll(d20) + bonus >= ac) { hits += 1; dealt = roll(count + \"d\" + sides) + damage; stat(\"dealt\", dealt); left -= dealt; } } stat(\"hits\", hits); return left <= 0;")),
        ("opposed", s("wins = 0; repeat (5) { if (roll(d20) + bonus >= roll(d20) + ac / 3) { wins += 1; } } return wins;")),
    ]
}

fn rows(n: u64) -> Vec<[String; 7]> {
    const SIDES: [usize; 5] = [4, 6, 8, 10, 12];
    (0..n)
        .map(|number| {
            let mut number = (number * 7_919) as usize;
            let [s, count, bonus, ac, hp, damage] = [5, 4, 13, 13, 57, 9].map(|base| {
                let digit = number % base;
                number /= base;
                digit
            });
            let (c, s) = (count + 1, SIDES[s]);
            let all = [bonus + 2, ac + 10, hp + 4, c, s, damage].map(|cell| cell.to_string());
            let [a, b, h, cc, ss, d] = all;
            [a, b, h, cc, ss, d.clone(), format!("{c}d{s}+{d}")]
        })
        .collect()
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let n: u64 = args.first().map_or(2000, |n| n.parse().unwrap());
    let times: usize = args.get(1).map_or(5, |n| n.parse().unwrap());
    let only = args.get(2);
    let rows = rows(n);
    for (name, script) in scripts() {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let (mut best, mut sum) = (f64::MAX, 0.0);
        for _ in 0..times {
            let start = Instant::now();
            let header = HEADER.map(str::to_owned);
            let columns = Columns::new(&header, ResourceTable::new());
            let batch = Batch::controlled(columns, Method::Exact(Limits::default(), None), Numbers::Quantiles, Some(1), Default::default());
            let mut batch = batch.unwrap();
            let script = match Compiler::new().script(&script) {
                Ok(script) => script,
                Err(error) => { println!("{name}: {error}"); break; }
            };
            let roll = script.roll("drop").unwrap();
            let varying = Varying::new(roll, json!({}), &header).unwrap();
            batch.ask_roll("drop", varying, &[]).unwrap();
            sum = 0.0;
            for block in rows.chunks(256) {
                batch.clear();
                for row in block {
                    batch.push(row.as_slice());
                }
                batch.solve().unwrap();
                let group = &batch.groups()[0];
                for row in 0..block.len() {
                    match batch.answer(row, 0) {
                        Ok(answer) => for field in &group.fields {
                            sum += match group.figure(&answer, *field) {
                                Some(figure) => figure.to_string().parse::<f64>().unwrap_or(0.0),
                                None => 0.0,
                            };
                        },
                        Err(_) => sum += 1e6,
                    }
                }
            }
            best = best.min(start.elapsed().as_secs_f64() * 1e6 / n as f64);
        }
        println!("{name:12} {best:9.3} us a row   sum {sum:.9}");
    }
}
