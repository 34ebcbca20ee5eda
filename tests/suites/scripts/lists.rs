//! Lists as they are written, and what else brackets may mean.

use super::syntax::{formatted, in_roll};
use dicec_lang::hir::Type;
use dicec_lang::syntax::Code;
use dicec_tests::checked::{around, compile, script, wrong};

#[test]
fn literals_in_their_layout() {
    for (text, expected) in [
        ("x = [ ];", "x = [];"),
        ("x = [1 , 2,3,];", "x = [1, 2, 3];"),
        ("x = [a,];", "x = [a,];"),
        ("x = [\n  1, // one\n  2\n];", "// one\n    x = [1, 2];"),
        ("x = [[1,2],[3,],[]];", "x = [[1, 2], [3,], []];"),
        ("x = [xs[0]];", "x = [xs[0],];"),
        (
            "x = [f(a,b), \"],;\"][1] + [Level];",
            "x = [f(a, b), \"],;\"][1] + [Level];",
        ),
        (
            "x = [{2d6,d8}kh1, [Level]d6];",
            "x = [{2d6, d8}kh1, [Level]d6];",
        ),
        ("for(i:[1,2]){}", "for (i : [1, 2]) {}"),
        ("return [1,2];", "return [1, 2];"),
        // Resources, as ever.
        ("x = [Self  Level] + [f(a)];", "x = [Level] + [f(a)];"),
    ] {
        assert_eq!(formatted(&in_roll(text)), in_roll(expected));
        assert_eq!(formatted(&in_roll(expected)), in_roll(expected));
    }
}

#[test]
fn literals_have_the_type_of_their_elements() {
    let hir = script(
        "const STEPS = [1, 2.5]; deftype t { xs: int list = [1, 2], ys: int list list = [[1,], []] } \
         defroll \"R\" r() { a = []; append(a, [\"x\",]); b = [1, 0.5]; c = [t{}, t{ xs: [] }]; output(a[0][0] + b[0] + c[0].xs[0] + STEPS[0]); }",
    );
    let types: Vec<&Type> = hir.functions[0]
        .locals
        .iter()
        .map(|local| &local.ty)
        .collect();
    let list = |ty: Type| Type::List(Box::new(ty));
    let [a, b, c] = types[..] else {
        panic!("{types:?}");
    };
    assert_eq!((a, b), (&list(list(Type::Text)), &list(Type::Float)));
    assert!(matches!(c, Type::List(record) if matches!(**record, Type::Record(_))));
}

/// A message about brackets without a comma says how they were read.
#[test]
fn a_resource_is_not_a_list() {
    for statements in [
        "for (x : [n]) { n = x; }",
        "xs = [n];",
        "append(xs, len([n]));",
    ] {
        assert_eq!(
            wrong(statements),
            [(Code::WrongType, "[n]".to_owned())],
            "{statements}"
        );
        let found = compile(&around(statements)).expect_err("it is wrong");
        let found = format!("{found:?}");
        assert!(
            found.contains("a list of one element is written"),
            "{found}"
        );
    }
    // Beside lists, too, in constants as well.
    for text in [
        around("rows = [[1], [2, 3]]; n = len(rows);"),
        around("rows = [[2, 3], [1]]; n = len(rows);"),
        "const ROWS = [[1], [2, 3]]; defroll \"\" r() { return len(ROWS); }".to_owned(),
    ] {
        let found = format!("{:?}", compile(&text).expect_err("it is wrong"));
        assert!(
            found.contains("a list of one element is written"),
            "{found}"
        );
    }
}
