//! The rolling language's types: what correct scripts become, and what is wrong with the others.

use dicec_compiler::Compiler;
use dicec_compiler::hir::script::{ExprKind, Script, StmtKind, Type, each_expr, each_stmt};
use dicec_compiler::syntax::{Code, Diagnostics, Severity};
use std::fs;
use std::path::Path;

fn compile(text: &str) -> Result<(Script, Diagnostics), Diagnostics> {
    let script = Compiler::new().script(text)?;
    Ok((script.hir().clone(), script.notes().clone()))
}

fn script(text: &str) -> Script {
    match compile(text) {
        Ok((script, _)) => script,
        Err(found) => panic!("{text}\n{found:#?}"),
    }
}

#[test]
fn the_example_compiles() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/attack.dice");
    let text = fs::read_to_string(path).expect("the example is there");
    let (script, notes) = compile(&text).unwrap_or_else(|found| panic!("{found:#?}"));
    assert!(notes.is_empty(), "{notes:#?}");
    assert_eq!(script.functions[1].result, Type::Int);
    assert_eq!(script.options.len(), 4);
}

#[test]
fn dbg_one() {
    let Ok(path) = std::env::var("DICE") else {
        return;
    };
    let text = fs::read_to_string(path).unwrap();
    match compile(&text) {
        Ok((script, notes)) => println!("{script:#?}\n{notes:#?}"),
        Err(found) => {
            for found in found.iter() {
                let line = text[..found.span.start as usize].matches('\n').count() + 1;
                println!(
                    "{line}: {} {:?} {} [{}]\n   help: {}",
                    found.code,
                    found.severity,
                    found.message,
                    &text[found.span.range()],
                    found.help.as_deref().unwrap_or("-")
                );
            }
        }
    }
}
