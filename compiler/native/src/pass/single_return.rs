//! Gives a function a single `return`: trials in lanes have to meet at the end.

use crate::ir::{Block, Function, Target, Terminator, ValueDef};

/// Gives the function a single `return` if it has several.
pub(super) fn single_return(function: &mut Function) {
    let is_return = |block: &Block| {
        matches!(
            function.blocks[*block].terminator,
            Some(Terminator::Return(_))
        )
    };
    let returns: Vec<Block> = function.blocks.keys().filter(is_return).collect();
    if returns.len() < 2 {
        return;
    }
    let last = function.blocks.push(Default::default());
    let result = function
        .values
        .push((function.result, ValueDef::Param(last)));
    for block in returns {
        if let Some(Terminator::Return(value)) = function.blocks[block].terminator {
            let target = Target {
                block: last,
                args: vec![value],
            };
            function.blocks[block].terminator = Some(Terminator::Jump(target));
        }
    }
    let data = &mut function.blocks[last];
    data.params.push(result);
    data.terminator = Some(Terminator::Return(result));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Region;
    use crate::ir::verify;
    use crate::ir_text::parse;

    #[test]
    fn several_returns_become_one() {
        let text = "function i64\n\nblock0:\n    v0 = bconst true\n    v1 = iconst 7\n    branch v0, block1, block2\n
block1:\n    return v1\n
block2:\n    branch v0, block3, block4\n
block3:\n    return v1\n
block4:\n    return v1\n";
        let mut several = parse(text).expect("IR");
        single_return(several.trial_mut());
        assert_eq!(verify(&several), Ok(()), "{several}");
        let region = Region::of(several.trial()).expect("regions");
        assert_eq!(region.blocks().count(), 6);
        let before = several.clone();
        single_return(several.trial_mut());
        assert_eq!(several, before);
    }
}
