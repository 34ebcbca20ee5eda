//! Scripts after the front end and the type checker: their trees and their diagnostics.

use dicec_compiler::Compiler;
use dicec_lang::hir::Module;
use dicec_lang::syntax::{Code, Diagnostics};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The typed tree of a script, and the notes on it.
///
/// # Errors
/// All errors in the script.
pub fn compile(text: &str) -> Result<(Arc<Module>, Diagnostics), Diagnostics> {
    let script = Compiler::new().script(text)?;
    Ok((Arc::clone(script.hir()), script.notes().clone()))
}

/// The typed tree of a correct script.
///
/// # Panics
/// If the script has an error.
pub fn script(text: &str) -> Arc<Module> {
    match compile(text) {
        Ok((script, _)) => script,
        Err(found) => panic!("{text}\n{found:#?}"),
    }
}

/// The codes and the marked texts of all errors and notes.
pub fn found(text: &str) -> Vec<(Code, &str)> {
    let found = match compile(text) {
        Ok((_, notes)) => notes,
        Err(found) => found,
    };
    found
        .iter()
        .map(|found| (found.code, &text[found.span.range()]))
        .collect()
}

/// A script with a roll of these statements, and with a type and functions that they may use.
pub fn around(statements: &str) -> String {
    format!(
        "deftype c {{ hp: int, name: string = \"nobody\", xs: int list }}\n\
         deffun double(x: int) {{ return 2 * x; }}\n\
         deffun show(x: c) {{ output(x.name); }}\n\
         deffun rolls() {{ return roll(2d6); }}\n\
         deffun gone() {{ return; }}\n\
         defroll \"R\" r(n: int, b: bool, t: string, who: c, xs: int list) {{ {statements} }}\n"
    )
}

/// The errors in statements.
pub fn wrong(statements: &str) -> Vec<(Code, String)> {
    let text = around(statements);
    let found = found(&text).into_iter();
    found
        .map(|(code, marked)| (code, marked.to_owned()))
        .collect()
}

/// A file of the project.
///
/// # Panics
/// If there is no such file.
pub fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(path).expect("the file is part of the project")
}

/// All kinds of expressions and statements, without errors.
pub const EVERYTHING: &str = r#"
    const DC = 15;
    const NAMES = list("a", "b");
    const DICE = "2d6";
    const START = pos{ y: 2 };
    deftype pos { x: int = 3, y: int }
    deftype c { name: string = "nobody", hp: int, at: pos, hits: int list }
    deffun fact(n: int) { if (n > 1) { return n * fact(n - 1); } return 1; }
    deffun even(n: int) { if (n == 0) { return true; } return odd(n - 1); }
    deffun odd(n: int) { if (n == 0) { return false; } return even(n - 1); }
    deffun show(x: c) { output(x.name + " at " + x.at.x + "," + x.at.y); }
    defroll "All" all(n: int, flag: bool, who: c, xs: int list, t: string) {
        a = roll(2d6 + 3) + roll(d20) - d(n, 6) + 2d6 + {2d6, 1d12}kh1;
        b = roll(DICE) + roll("2d6+" + n) + roll(n + "d" + n) + roll(DICE + "+1");
        deg = roll(d20) + n vs DC;
        deg2 = roll(d20 + n vs DC + roll(1d4));
        test = roll(d100) under n;
        if (test.success && test > (under 30)) { output(test + " by " + test.degrees); }
        if (deg >= success && deg2 != criticalFailure || flag) { output(deg); }
        else if (deg == failure) { output("x" + deg + flag + n); }
        else { output(a); }
        word = roll(d{hit,miss});
        word2 = roll("d{hit,miss}");
        if (word == "hit" && word2 != word) { stat("hits", flag); }
        ys = list();
        while (len(ys) < 3) {
            for (y : ys) { b += y + 1; }
            append(ys, roll(d6));
            if (b > 100) { break; }
            if (b > 50) { continue; }
            b++;
        }
        who.hp -= max(1, min(b, abs(-a)), 3) % 5;
        who.hits = ys;
        ys[0] = 3;
        ys[1]++;
        p = START;
        q = c{ name: "x", at: p, hits: list() };
        q.name += "!" + n;
        show(q);
        t2 = "a";
        t2 += n;
        output(t2);
        startGroup();
        endGroup();
        m = flag ? list() : list(1);
        stat("z", len(m) + [Strength] + roll([Level]d[Die]));
        if (userOption("Again?") || userOption(who, "Force?") || userOption("GM", "x")) { return fact(3); }
        if (!even(4)) { return -a; }
        for (k : NAMES) { output(k); }
        return n == 1 ? 0 : d(1, n);
    }
"#;
