//! The requests among which the worst is looked for: texts with holes for numbers.

use dicec_api::Endpoint;
use dicec_runtime::rng::Stream;
use serde_json::json;

/// The member of a request that a text stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    Rule,
    Script,
    Sides,
}

/// Texts with holes `{LOW..HIGH}` for numbers, and `{*LOW..HIGH TEXT}` for parts that are
/// repeated.
const TEXTS: [(Member, &str); 39] = [
    (Member::Rule, "{1..1000}d{1..1000000000}"),
    (Member::Rule, "{1..1000}d{1..100000}kh{1..1000}"),
    (
        Member::Rule,
        "{1..1000}d{1..1000}! + {1..1000}d{1..1000}r{1..1000}",
    ),
    (
        Member::Rule,
        "{1..300}d{1..300}*{1..300}d{1..300}*{1..300}d{1..300}",
    ),
    (Member::Rule, "{*1..800 1d{1..100000}*}1"),
    (Member::Rule, "{*1..800 1d{1..100000}+}1"),
    (Member::Rule, "{*1..800 max(1d{1..1000},}1{*1..800 )}"),
    (Member::Rule, "{*1..2000 (}1d{1..1000}{*1..2000 )}"),
    (Member::Rule, "{*1..1000 ((1d{1..10}+1)/}2{*1..1000 )}"),
    (Member::Rule, "{1..1000}d{1..1000} >= {1..1000}d{1..1000}"),
    (
        Member::Rule,
        "{*1..60 {1..300}d{1..300} + 1d20 vs {1..400}}",
    ),
    (
        Member::Rule,
        "A: d{1..1000} loop X over { 1..{1..1000}} { A: [highest of A and d{1..1000}] output A }",
    ),
    (
        Member::Rule,
        "function: f R:s { T: 0 loop X over R { T: T + X*X } result: T } output [f {1..30}d{1..30}]",
    ),
    (
        Member::Rule,
        "set \"maximum function depth\" to {1..9999} function: f N:n { result: d{1..9} + [f N+1] } output [f {1..9}]",
    ),
    (
        Member::Rule,
        "function: f A:n B:n C:n { result: A*B + C } output [f {1..300}d{1..300} {1..300}d{1..300} d{1..300}]",
    ),
    (
        Member::Rule,
        "A: d{ 0:{1..1000}, 1} loop X over { 1..{1..1000}} { A: (A + A) > 0 } output {{1..1000}, {1..1000}}@{1..300}d{1..300} + A",
    ),
    (
        Member::Script,
        "defroll \"a\" a() { t = 0; repeat ({1..100000}) { t += roll({1..1000}d{1..1000}); } return t; }",
    ),
    (
        Member::Script,
        "defroll \"a\" a() { t = 0; repeat ({1..1000}) { repeat ({1..1000}) { if (roll(d{1..1000}) > {1..1000}) { t += 1; } } } return t; }",
    ),
    (
        Member::Script,
        "defroll \"a\" a() { xs = []; repeat ({1..1000}) { append(xs, roll(d{1..1000})); } sort(xs); return sum(xs[i] for i : 0..{1..999}); }",
    ),
    (
        Member::Script,
        "defroll \"a\" a() { xs = [roll(d{1..1000}) for i : 1..{1..1000}]; t = 0; for (x : xs) { for (y : xs) { if (x > y) { t += 1; } } } return t; }",
    ),
    (
        Member::Script,
        "defroll \"a\" a() { x = roll(d{1..100000}); y = roll(d{1..100000}); z = roll(d{1..1000}); return x * y + z; }",
    ),
    (
        Member::Script,
        "defroll \"a\" a() { repeat ({1..100000}) { output(\"{*1..2000 x}\" + roll(d{1..1000000})); } }",
    ),
    (
        Member::Script,
        "defroll \"a\" a() { repeat ({1..10000}) { stat(\"n\" + roll(d{1..1000000}), roll(d{1..1000000})); } }",
    ),
    (
        Member::Script,
        "defroll \"a\" a() { s = \"x\"; repeat ({1..60}) { s = s + s; } output(s); }",
    ),
    (
        Member::Script,
        "deffun f(n: int): int { if (n <= 0) { return roll(d{1..100}); } return f(n - 1) + f(n - {1..5}); } defroll \"a\" a() { return f({1..50}); }",
    ),
    (
        Member::Script,
        "defroll \"a\" a(n: int = {1..1000}) { while (roll(d{1..1000}) > 1) { n += roll(d{1..1000}); } return n; }",
    ),
    (
        Member::Script,
        "defroll \"a\" a() { {*1..400 x = roll(d{1..20}); if (x > {1..20}) { return x; } }return 0; }",
    ),
    (
        Member::Script,
        "defroll \"a\" a() { t = 0; {*1..8 repeat ({1..30}) {} t += roll(d{1..6}); {*1..8 }}return t; }",
    ),
    (
        Member::Script,
        "defroll \"a\" a() { return sum([{*1..2000 roll(d6),}1]); }",
    ),
    (
        Member::Script,
        "import std.pools; defroll \"a\" a() { return keepHighest(rollDice({1..1000}, {1..1000}), {1..1000}); }",
    ),
    (
        Member::Script,
        "import std.pools; defroll \"a\" a() { xs = shuffle([i for i : 1..{1..1000}]); return xs[0] * {1..1000} + xs[{1..999}]; }",
    ),
    (
        Member::Script,
        "deftype c { hp: int, ac: int } defroll \"a\" a() { cs = [c{ hp: {1..1000}, ac: roll(d{1..20}) } for i : 1..{1..100}]; n = 0; while (n < {1..1000}) { for (c : cs) { if (roll(d20) >= c.ac) { c.hp -= roll({1..10}d{1..12}); } } n += 1; } return sum(c.hp for c : cs); }",
    ),
    (
        Member::Script,
        "defroll \"a\" a(x: dice = {1..1000}d{1..1000}) { t = 0; repeat ({1..1000}) { t += roll(x); } return t; }",
    ),
    (Member::Sides, "{1..60} Goblin vs {1..60} Wolf"),
    (
        Member::Sides,
        "{1..20} Veteran vs {1..20} Troll, {1..20} Goblin",
    ),
    (
        Member::Sides,
        "{1..5} Adult Red Dragon vs {1..30} Knight, {1..5} Priest",
    ),
    (
        Member::Sides,
        "{1..5} Ancient Red Dragon vs {1..5} Lich, {1..30} Commoner",
    ),
    (Member::Sides, "{1..10} Mage vs {1..10} Archmage"),
    (Member::Sides, "{1..40} Commoner vs {1..40} Commoner"),
];

/// Members that make an answer longer, for the endpoints that take them.
const MORE: [(&str, &[Endpoint]); 9] = [
    (
        r#""trials": 1000000000"#,
        &[Endpoint::Sim, Endpoint::Encounter],
    ),
    (r#""precision": 1e-9"#, &[Endpoint::Sim]),
    (r#""exact": true"#, &[Endpoint::Encounter]),
    (r#""ablate": true"#, &[Endpoint::Encounter]),
    (r#""tell": true"#, &[Endpoint::Encounter]),
    (r#""rational": true"#, &[Endpoint::Odds]),
    (
        r#""quantile": [0.1, 0.5, 0.9]"#,
        &[Endpoint::Odds, Endpoint::Sim],
    ),
    (
        r#""compare": ["1d99999", "20d99", "3d6*1d99"]"#,
        &[Endpoint::Odds, Endpoint::Sim],
    ),
    (r#""rounds": 1000"#, &[Endpoint::Encounter]),
];

/// A request: a text, the numbers in its holes, and further members.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// What is asked.
    pub(crate) endpoint: Endpoint,
    text: usize,
    /// Where in its range each number is: small ones are more likely.
    numbers: Vec<f64>,
    more: Vec<usize>,
}

/// The number of numbers that a text may use.
const NUMBERS: usize = 64;

impl Request {
    /// A request by chance.
    pub(crate) fn random(stream: &mut Stream) -> Self {
        loop {
            let endpoint = Endpoint::ALL[below(stream, Endpoint::ALL.len())];
            let text = below(stream, TEXTS.len());
            let fits = match TEXTS[text].0 {
                Member::Sides => endpoint == Endpoint::Encounter,
                Member::Script => endpoint != Endpoint::Encounter,
                Member::Rule => !matches!(endpoint, Endpoint::Encounter | Endpoint::Describe),
            };
            if fits {
                let numbers = (0..NUMBERS).map(|_| share(stream)).collect();
                let more = (0..MORE.len()).filter(|_| below(stream, 3) == 0).collect();
                return Self {
                    endpoint,
                    text,
                    numbers,
                    more,
                };
            }
        }
    }

    /// The same with a few changes.
    pub(crate) fn changed(&self, stream: &mut Stream) -> Self {
        let mut changed = self.clone();
        for _ in 0..1 + below(stream, 4) {
            match below(stream, 5) {
                0 => {
                    let toggled = below(stream, MORE.len());
                    match changed.more.iter().position(|one| *one == toggled) {
                        Some(place) => drop(changed.more.remove(place)),
                        None => changed.more.push(toggled),
                    }
                }
                1 => changed.numbers[below(stream, 8)] = share(stream),
                _ => {
                    let number = &mut changed.numbers[below(stream, 8)];
                    *number = (*number + (share(stream) - 0.5) / 4.0).clamp(0.0, 1.0);
                }
            }
        }
        changed
    }

    /// Its body.
    pub(crate) fn body(&self) -> String {
        let (member, text) = TEXTS[self.text];
        let mut numbers = self.numbers.iter().copied().cycle();
        let filled = filled(text, &mut numbers);
        let name = match member {
            Member::Rule => "rule",
            Member::Script => "script",
            Member::Sides => "sides",
        };
        let mut body = json!({ name: filled }).to_string();
        body.pop();
        if self.endpoint != Endpoint::Check && self.endpoint != Endpoint::Describe {
            let more = self.more.iter().map(|one| MORE[*one]);
            for (text, _) in more.filter(|(_, endpoints)| endpoints.contains(&self.endpoint)) {
                body += &format!(", {text}");
            }
        }
        body + "}"
    }
}

/// A text with its holes filled.
fn filled(text: &str, numbers: &mut impl Iterator<Item = f64>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = hole(rest) {
        out += &rest[..start];
        let inside = &rest[start + 1..];
        let end = closing(inside);
        let (hole, after) = (&inside[..end], &inside[end + 1..]);
        match hole.strip_prefix('*') {
            Some(repeated) => {
                let (range, part) = repeated.split_once(' ').expect("a range and a text");
                for _ in 0..number(range, numbers) {
                    out += &filled(part, numbers);
                }
            }
            None => out += &number(hole, numbers).to_string(),
        }
        rest = after;
    }
    out + rest
}

/// Where the next hole begins: a brace before a digit or a star.
fn hole(text: &str) -> Option<usize> {
    let braces = text.match_indices('{').map(|(at, _)| at);
    let mut holes = braces
        .filter(|at| text[at + 1..].starts_with(|next: char| next.is_ascii_digit() || next == '*'));
    holes.next()
}

/// Where a hole ends.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => return at,
            '}' => depth -= 1,
            _ => {}
        }
    }
    panic!("a hole without an end: {text}");
}

fn number(range: &str, numbers: &mut impl Iterator<Item = f64>) -> u64 {
    let (low, high) = range.split_once("..").expect("a range");
    let [low, high] = [low, high].map(|end| end.parse::<f64>().expect("a number"));
    let place = numbers.next().unwrap_or(1.0);
    (low + (high - low) * place * place * place * place).round() as u64
}

fn below(stream: &mut Stream, end: usize) -> usize {
    (stream.word() % end as u64) as usize
}

fn share(stream: &mut Stream) -> f64 {
    (stream.word() >> 11) as f64 / (1_u64 << 53) as f64
}
