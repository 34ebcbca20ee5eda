//! Whether a script runs in lanes, as a line of text.

use dicec_compiler::ir::{Op, Type};
use dicec_compiler::pass::{NoLanes, Obstacle, VectorForm};

/// The form of a script that runs in lanes.
pub(crate) fn in_lanes(form: &VectorForm) -> String {
    let (lanes, bits) = (form.width.lanes(), form.width.bits());
    format!(
        "vector: {lanes} lanes of {bits} bits, {} trials a group",
        form.trials()
    )
}

/// The form of a script that does not, why not, and where that is.
pub(crate) fn scalar(why: NoLanes, location: Option<String>) -> String {
    let location = location.map_or_else(String::new, |location| format!(" ({location})"));
    format!("scalar: {}{location}", reason(why.obstacle))
}

/// The form of a script whose sampling is not fused.
pub(crate) const FAITHFUL: &str = "scalar: faithful sampling draws each die by itself";

fn reason(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::AnyArguments => "lanes need arguments (--args, --set or a resource)",
        Obstacle::Resources => "a resource lies outside of -1000..=1000",
        Obstacle::Op(op) => operation(op),
        Obstacle::Float => "lanes have no floats",
        Obstacle::Wide => "a number may become too large for a lane",
        Obstacle::Loop => "a loop that can be entered in its middle",
        Obstacle::NoDice => "it rolls no dice",
        Obstacle::TooLarge => "a trial has too much code, or more than 256 dice",
        Obstacle::Dice => "dice with too many sides for a lane",
        Obstacle::NeverReturns => "every trial ends in an error",
    }
}

fn operation(op: Op) -> &'static str {
    use Op::{
        Alloc, Append, Call, Depth, Dice, DiceCount, DiceLeft, DieSides, Drawn, ExplosionsLeft,
        Face, Fuel, Iadd, Idiv, IdivPos, Imul, Index, Ineg, Irem, Isub, Load, NewList, Output,
        Peek, RerollsLeft, Resource, Roll, Stat, Store, TextJoin, Word,
    };
    match op {
        Call | Depth => "a function that calls itself, or is too large to be inlined",
        Alloc | Append | NewList | Load | Store | Peek => {
            "a list or a record that trials keep in memory"
        }
        Index => "an index that may lie outside of its list",
        Resource => "an argument that trials change",
        Roll | Dice | DiceCount | DieSides => "dice of a computed number or computed sides",
        ExplosionsLeft | RerollsLeft | DiceLeft => "dice that explode or are rerolled",
        Drawn => "dice that are drawn together from a table",
        Word | Face => "dice that share a word",
        TextJoin => "a text that is put together in each trial",
        Output | Stat | Fuel => "an effect whose value is used",
        Iadd | Isub | Imul | Ineg => "arithmetic that may overflow",
        Idiv | IdivPos | Irem => "a division by a number that is not constant, or of large numbers",
        other if is_float(other) => "lanes have no floats",
        _ => "dice that explode, are rerolled, kept or counted on the table",
    }
}

fn is_float(op: Op) -> bool {
    let info = op.info();
    info.result == Type::F64 || info.params.contains(&Type::F64)
}
