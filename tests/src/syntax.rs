//! Syntax trees from bytes: everything that can be written in the dice notation, in each dialect. A
//! tree that parses need not compile.

use arbitrary::{Result, Unstructured};
use dicec_lang::front::notation::{
    Ast, AstKind, BinaryOp, Bound, CompareOp, Condition, Dialect, Dice, Die, Explosion, Face,
    Float, Function, Group, Modifier, ModifierKind, Selector, SortOrder, print,
};
use dicec_runtime::against::Against;
use dicec_runtime::resource::ResourceName;
use dicec_runtime::span::Span;

type Bytes<'b, 'a> = &'b mut Unstructured<'a>;

/// A tree of this dialect.
///
/// # Errors
/// Never for lack of bytes: missing ones count as zeros.
pub fn tree(bytes: Bytes<'_, '_>, dialect: Dialect) -> Result<Ast> {
    Writer { dialect }.tree(bytes, 5)
}

/// Text that is almost a rule: a printed rule with some bytes changed, to test the recovery of the
/// parser.
///
/// # Errors
/// As for [`tree`].
pub fn damaged(bytes: Bytes<'_, '_>, dialect: Dialect) -> Result<String> {
    let mut text = print(&tree(bytes, dialect)?, dialect).into_bytes();
    let characters = b"d()[]{}<>=+-*/%^!,.@0123456789 dkhlrocsfaFmixSelfTarget\n\xc3\xa9";
    for _ in 0..bytes.int_in_range(0..=4)? {
        let place = bytes.choose_index(text.len().max(1))?;
        let new = *bytes.choose(characters)?;
        match bytes.int_in_range(0..=2)? {
            0 if place < text.len() => text[place] = new,
            1 if place < text.len() => {
                text.remove(place);
            }
            _ => text.insert(place.min(text.len()), new),
        }
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

const NAMES: [&str; 5] = ["A", "Strength", "Target Defense", "Self Target x", "kh 1"];
const LABELS: [&str; 4] = ["hit", "near miss", "kh", "d'or_2-b"];
const FLOATS: [f64; 6] = [0.0, 0.5, 1.0, 2.25, 1e300, f64::MIN_POSITIVE];

struct Writer {
    dialect: Dialect,
}

fn node(kind: AstKind) -> Ast {
    Ast::new(kind, Span::default())
}

fn number(bytes: Bytes<'_, '_>) -> Result<i64> {
    Ok(match bytes.int_in_range(0..=9)? {
        0 => i64::MAX,
        _ => bytes.int_in_range(0..=20)?,
    })
}

impl Writer {
    fn notation(&self) -> bool {
        self.dialect == Dialect::Notation
    }

    fn tree(&self, bytes: Bytes<'_, '_>, depth: u32) -> Result<Ast> {
        if depth == 0 {
            return self.leaf(bytes);
        }
        let boxed = |bytes: Bytes<'_, '_>| self.tree(bytes, depth - 1).map(Box::new);
        Ok(node(match bytes.int_in_range(0..=11)? {
            0 => return self.leaf(bytes),
            1 => AstKind::Negate(boxed(bytes)?),
            2..=4 => {
                let op = if self.notation() {
                    *bytes.choose(&BinaryOp::ALL)?
                } else {
                    *bytes.choose(&BinaryOp::RULEBOOK)?
                };
                AstKind::Binary(op, boxed(bytes)?, boxed(bytes)?)
            }
            5 => {
                let op = *bytes.choose(&CompareOp::ALL)?;
                // A comparison of written numbers is refused there.
                let left = match self.notation() {
                    true => {
                        let die = Dice::plain(None, node(AstKind::Number(6)));
                        let die = Box::new(node(AstKind::Dice(Box::new(die))));
                        Box::new(node(AstKind::Binary(BinaryOp::Sub, die, boxed(bytes)?)))
                    }
                    false => boxed(bytes)?,
                };
                AstKind::Compare(op, left, boxed(bytes)?)
            }
            6 => {
                let against = *bytes.choose(&[Against::VERSUS, Against::UNDER])?;
                AstKind::Versus(against, boxed(bytes)?, boxed(bytes)?)
            }
            7 => self.call(bytes, depth)?,
            8 if self.notation() && bytes.ratio(1, 4)? => self.round_group(bytes, depth)?,
            8 | 9 => self.group(bytes, depth)?,
            _ => self.dice(bytes, depth)?,
        }))
    }

    fn leaf(&self, bytes: Bytes<'_, '_>) -> Result<Ast> {
        Ok(node(match bytes.int_in_range(0..=4)? {
            0 if self.notation() => {
                let value = Float::new(*bytes.choose(&FLOATS)?);
                value.map_or(AstKind::Number(0), AstKind::Float)
            }
            1 => AstKind::Resource(ResourceName::parse(bytes.choose(&NAMES)?)),
            2 => {
                let sides = node(AstKind::Number(6));
                AstKind::Dice(Box::new(Dice::plain(None, sides)))
            }
            _ => AstKind::Number(number(bytes)?),
        }))
    }

    fn call(&self, bytes: Bytes<'_, '_>, depth: u32) -> Result<AstKind> {
        let mut function = *bytes.choose(&Function::ALL)?;
        if function.is_notation_only() && !self.notation() {
            function = Function::Max;
        }
        let count = match function.arity() {
            Some(count) => count,
            None => bytes.int_in_range(1..=3)?,
        };
        let arguments: Result<Vec<Ast>> = (0..count).map(|_| self.tree(bytes, depth - 1)).collect();
        Ok(AstKind::Call(function, arguments?))
    }

    fn dice(&self, bytes: Bytes<'_, '_>, depth: u32) -> Result<AstKind> {
        let count = match bytes.int_in_range(0..=3)? {
            0 => None,
            1 => Some(self.tree(bytes, depth - 1)?),
            _ => Some(node(AstKind::Number(number(bytes)?))),
        };
        let die = match bytes.int_in_range(0..=6)? {
            0 => Die::Percent,
            1 => Die::Fate,
            2 => Die::Faces(faces(bytes)?),
            3 => Die::Sides(self.tree(bytes, depth - 1)?),
            _ => Die::Sides(node(AstKind::Number(number(bytes)?))),
        };
        let mut modifiers = Vec::new();
        for _ in 0..bytes.int_in_range(0..=4)? {
            let kind = match bytes.int_in_range(0..=5)? {
                0 => self.select(bytes, depth)?,
                1 => ModifierKind::Reroll {
                    once: bytes.arbitrary()?,
                    condition: self.condition(bytes, depth)?,
                },
                2 | 3 => {
                    let how = *bytes.choose(&Bound::ALL)?;
                    ModifierKind::Bound(how, self.value(bytes, depth)?)
                }
                4 if self.notation() => self.mark(bytes, depth)?,
                _ => ModifierKind::Sort(
                    *bytes.choose(&[SortOrder::Ascending, SortOrder::Descending])?,
                ),
            };
            modifiers.push(kind);
        }
        if bytes.ratio(1, 3)? {
            let condition = match bytes.arbitrary()? {
                true => Some(self.condition(bytes, depth)?),
                false => None,
            };
            let kind = ModifierKind::Explode(*bytes.choose(&Explosion::ALL)?, condition);
            insert(bytes, &mut modifiers, kind)?;
        }
        self.counting(bytes, depth, &mut modifiers)?;
        let mut modifiers = spanned(modifiers);
        if self.notation() && !modifiers.iter().any(Modifier::is_count) {
            // Dice in parentheses are compared, not counted.
            for modifier in &mut modifiers {
                modifier.closes = u32::from(bytes.ratio(1, 8)?);
            }
        }
        Ok(AstKind::Dice(Box::new(Dice {
            count,
            die,
            modifiers,
        })))
    }

    fn group(&self, bytes: Bytes<'_, '_>, depth: u32) -> Result<AstKind> {
        let count = bytes.int_in_range(1..=3)?;
        let members: Result<Vec<Ast>> = (0..count).map(|_| self.tree(bytes, depth - 1)).collect();
        let members = members?;
        let mut modifiers = Vec::new();
        // A group of one may not keep among dice that it subtracts.
        let sum = matches!(
            members[0].kind,
            AstKind::Binary(..) | AstKind::Negate(_) | AstKind::Group(_)
        );
        if count > 1 || !sum {
            for _ in 0..bytes.int_in_range(0..=2)? {
                modifiers.push(self.select(bytes, depth)?);
            }
        }
        self.counting(bytes, depth, &mut modifiers)?;
        let modifiers = spanned(modifiers);
        Ok(AstKind::Group(Box::new(Group {
            members,
            modifiers,
            round: false,
        })))
    }

    /// `(1d6 + 2d8)s`: dice that are added, in parentheses.
    fn round_group(&self, bytes: Bytes<'_, '_>, depth: u32) -> Result<AstKind> {
        let dice = || {
            let sides = node(AstKind::Number(6));
            node(AstKind::Dice(Box::new(Dice::plain(None, sides))))
        };
        let member = AstKind::Binary(BinaryOp::Add, Box::new(dice()), Box::new(dice()));
        let kind = match bytes.int_in_range(0..=2)? {
            0 => self.select(bytes, depth)?,
            1 => self.mark(bytes, depth)?,
            _ => ModifierKind::Sort(SortOrder::Ascending),
        };
        Ok(AstKind::Group(Box::new(Group {
            members: vec![node(member)],
            modifiers: spanned(vec![kind]),
            round: true,
        })))
    }

    fn mark(&self, bytes: Bytes<'_, '_>, depth: u32) -> Result<ModifierKind> {
        let condition = match bytes.ratio(1, 3)? {
            true => None,
            false => Some(self.condition(bytes, depth)?),
        };
        Ok(match bytes.arbitrary()? {
            true => ModifierKind::Critical(condition),
            false => ModifierKind::Fumble(condition),
        })
    }

    /// Sometimes adds a count of successes, and of failures.
    fn counting(
        &self,
        bytes: Bytes<'_, '_>,
        depth: u32,
        modifiers: &mut Vec<ModifierKind>,
    ) -> Result<()> {
        if bytes.ratio(2, 3)? {
            return Ok(());
        }
        let success = ModifierKind::Success(self.conditions(bytes, depth)?);
        insert(bytes, modifiers, success)?;
        if bytes.arbitrary()? {
            let double = ModifierKind::Double(self.conditions(bytes, depth)?);
            insert(bytes, modifiers, double)?;
        }
        if bytes.arbitrary()? {
            let failure = ModifierKind::Failure(self.conditions(bytes, depth)?);
            insert(bytes, modifiers, failure)?;
        }
        Ok(())
    }

    /// A comparison, or several numbers.
    fn conditions(&self, bytes: Bytes<'_, '_>, depth: u32) -> Result<Vec<Condition>> {
        if bytes.ratio(2, 3)? {
            return Ok(vec![self.condition(bytes, depth)?]);
        }
        let equal = |bytes: Bytes<'_, '_>| {
            let (op, threshold) = (CompareOp::Equal, self.value(bytes, depth)?);
            Ok(Condition { op, threshold })
        };
        Ok(vec![equal(bytes)?, equal(bytes)?])
    }

    fn select(&self, bytes: Bytes<'_, '_>, depth: u32) -> Result<ModifierKind> {
        let count = match bytes.arbitrary()? {
            true => Some(self.value(bytes, depth)?),
            false => None,
        };
        Ok(ModifierKind::Select(*bytes.choose(&Selector::ALL)?, count))
    }

    fn condition(&self, bytes: Bytes<'_, '_>, depth: u32) -> Result<Condition> {
        Ok(Condition {
            op: *bytes.choose(&CompareOp::ALL)?,
            threshold: self.value(bytes, depth)?,
        })
    }

    fn value(&self, bytes: Bytes<'_, '_>, depth: u32) -> Result<Ast> {
        if bytes.ratio(1, 3)? {
            return self.tree(bytes, depth - 1);
        }
        Ok(node(AstKind::Number(number(bytes)?)))
    }
}

fn faces(bytes: Bytes<'_, '_>) -> Result<Vec<Face>> {
    let count = bytes.int_in_range(1..=4)?;
    let face = |_| {
        Ok(match bytes.int_in_range(0..=3)? {
            0 => Face::Label((*bytes.choose(&LABELS)?).to_owned()),
            1 => Face::Number(-1_000_000_000),
            _ => Face::Number(bytes.int_in_range(-3..=6)?),
        })
    };
    (0..count).map(face).collect()
}

fn insert(
    bytes: Bytes<'_, '_>,
    modifiers: &mut Vec<ModifierKind>,
    kind: ModifierKind,
) -> Result<()> {
    let place = bytes.int_in_range(0..=modifiers.len())?;
    modifiers.insert(place, kind);
    Ok(())
}

fn spanned(modifiers: Vec<ModifierKind>) -> Vec<Modifier> {
    let modifiers = modifiers.into_iter();
    modifiers
        .map(|kind| Modifier::new(kind, Span::default()))
        .collect()
}
