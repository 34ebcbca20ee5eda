//! The whole dice notation, in both dialects: its normal forms, what is refused and where, and how
//! rolls are shown.

use dicec_compiler::{Compiler, Rolled, Session};
use dicec_lang::front::notation::{Dialect, Style, parse, print};
use dicec_lang::syntax::{Code, SourceLimits};
use dicec_runtime::span::Span;
use dicec_tests::programs::{bare, compiled, notation, scripted, table};

use Dialect::{Notation, Rulebook};

fn normal(text: &str, dialect: Dialect) -> String {
    let parsed = parse(text, dialect, SourceLimits::default());
    let found = parsed.diagnostics;
    assert!(found.is_empty(), "{dialect}: {text}: {found}");
    print(&parsed.ast, dialect)
}

fn is_normalised(text: &str, dialect: Dialect, expected: &str) {
    assert_eq!(normal(text, dialect), expected, "{dialect}: {text}");
    assert_eq!(normal(expected, dialect), expected, "{dialect}");
}

#[test]
fn normal_forms_of_both_dialects() {
    for (text, expected) in [
        ("4D6 K3", "4d6kh3"),
        ("2d20khkl", "2d20khkl"),
        ("4d6dl1kh(1d4+1)", "4d6dl1kh(1d4 + 1)"),
        ("4d6 KH [Level] dl (3)", "4d6kh[Level]dl3"),
        (
            "d%+dF+ d {1, -1 ,  near   miss}",
            "d% + dF + d{1,-1,near miss}",
        ),
        ("4dfkh2", "4dFkh2"),
        ("6d6!Pkh3", "6d6!pkh3"),
        ("3d6!!>=5r<2ro=3min2max(5)", "3d6!!>=5r<2ro=3min2max5"),
        ("4d6ssasd", "4d6sssd"),
        ("{ 2d6 ,1d12}kh1", "{2d6, 1d12}kh1"),
        ("{2d6+1d8}", "{2d6 + 1d8}"),
        ("FLOOR((7)) + Max(1,[A],2d6)", "floor(7) + max(1, [A], 2d6)"),
        ("max(1,2)d6", "max(1, 2)d6"),
        ("d(max(1,2))", "d(max(1, 2))"),
        ("({2d6})d6", "({2d6})d6"),
        ("@str + @{Target  Defense}", "[str] + [Target Defense]"),
        ("2d6!≠3", "2d6!≠3"),
        ("2d6min2 + min(1, 2)", "2d6min2 + min(1, 2)"),
        ("1d20 vs 10d10count>=6", "1d20 vs 10d10 count>=6"),
    ] {
        is_normalised(text, Rulebook, expected);
        let counts = text.contains("count");
        if !counts {
            is_normalised(text, Notation, expected);
        }
    }
}

#[test]
fn normal_forms_of_the_rulebook() {
    for (text, expected) in [
        ("10d10cs>=6f1", "10d10 count>=6 fail=1"),
        ("10d10cs6", "10d10 count=6"),
        ("5+10d10count>=6+2", "5 + 10d10 count>=6 + 2"),
        ("10d10count>=6>=3", "10d10 count>=6 >= 3"),
        ("2d6!==6", "2d6!==6"),
        ("2d6!!=6", "2d6!!=6"),
        ("2d6!=6", "2d6 != 6"),
        ("2d6! >= 5", "2d6! >= 5"),
        ("2d6!>=5", "2d6!>=5"),
        ("(2d6)>=5", "2d6 >= 5"),
        ("{2d6,1d8} >= 5", "{2d6, 1d8} >= 5"),
    ] {
        is_normalised(text, Rulebook, expected);
    }
}

#[test]
fn normal_forms_of_the_notation() {
    for (text, expected) in [
        ("10d10 >= 6 fail=1", "10d10>=6f1"),
        ("10d10 f <= 2 count >= 6", "10d10f<=2>=6"),
        ("10d10count!=6", "10d10 count!=6"),
        ("10d10≠6", "10d10 count!=6"),
        ("5d10! >=8", "5d10! >=8"),
        ("5d10!>=8", "5d10!>=8"),
        ("5d10!==10>=8", "5d10!=10>=8"),
        ("5d10 != 10 >= 8", "5d10!=10>=8"),
        ("(2d6)>=5", "(2d6) >= 5"),
        ("(1+2d6) >= 5", "(1 + 2d6) >= 5"),
        ("2d6+1>=5", "2d6 + 1 >= 5"),
        ("3*(1+2d6) >= 5", "3 * (1 + 2d6) >= 5"),
        ("({2d6, 1d8}) >= 5", "({2d6, 1d8}) >= 5"),
        ("{10d10>=6}+2", "{10d10>=6} + 2"),
        ("(10d10>=6)+2", "(10d10>=6) + 2"),
        ("max(10d10>=6, 2)", "max(10d10>=6, 2)"),
        ("1d20cs19cf<=2cf=(-1)", "1d20cs=19cf<=2cf=(-1)"),
        ("-2^2", "-2 ** 2"),
        ("(-2)**2**3", "(-2) ** 2 ** 3"),
        ("(2**3)**2", "(2 ** 3) ** 2"),
        ("2**-(1+2)*3", "2 ** -(1 + 2) * 3"),
        ("7%3*2%(4)", "7 % 3 * 2 % 4"),
        ("d%%5", "d% % 5"),
        ("1.50 + 2.0", "1.5 + 2.0"),
        (
            "sqrt(2)+pow(2, .5+0)".replace(".5", "0.5").as_str(),
            "sqrt(2) + pow(2, 0.5 + 0)",
        ),
    ] {
        is_normalised(text, Notation, expected);
    }
}

/// One mistake gives one message, at its location.
#[test]
fn each_mistake_has_its_code_and_place() {
    let (both, rulebook, notation) = (&Dialect::ALL[..], &[Rulebook][..], &[Notation][..]);
    for (dialects, text, code, start, end) in [
        (rulebook, "2 ** 3", Code::NotationOnly, 2, 4),
        (rulebook, "7 % 3", Code::NotationOnly, 2, 3),
        (rulebook, "1.5", Code::NotationOnly, 0, 3),
        (rulebook, "sqrt(4)", Code::NotationOnly, 0, 4),
        (rulebook, "1d20cf1", Code::NotationOnly, 4, 6),
        (both, "{}", Code::EmptyBraces, 0, 2),
        (both, "2d{ }", Code::EmptyBraces, 2, 5),
        (both, "d{1,2d6}", Code::BadFace, 4, 7),
        (both, "d{1,-1000000001}", Code::BadFace, 4, 15),
        (both, "d{1, ,2}", Code::BadFace, 4, 5),
        (both, "d{1,2", Code::Unclosed, 1, 2),
        (both, "4d6kg3", Code::UnknownModifier, 3, 6),
        (both, "4d6kh2foo", Code::UnknownModifier, 6, 9),
        (rulebook, "(2d6)kh1", Code::NotAPool, 5, 8),
        (both, "(2d6+1)kh1", Code::NotAPool, 7, 10),
        (both, "5!", Code::NotAPool, 1, 2),
        (both, "max(1)kl", Code::NotAPool, 6, 8),
        (rulebook, "10d10>=6f1", Code::NotAPool, 8, 10),
        (both, "{1d6}min2", Code::NotForGroups, 5, 9),
        (both, "{1d6, 2}sa", Code::NotForGroups, 8, 10),
        (both, "4d6r1", Code::NeedsComparison, 3, 5),
        (both, "4d6r", Code::NeedsComparison, 3, 4),
        (both, "4d6!6", Code::NeedsComparison, 3, 5),
        (both, "4d6!p(1)", Code::NeedsComparison, 3, 8),
        (both, "4d6count6", Code::NeedsComparison, 3, 9),
        (both, "4d6!!!", Code::SecondExplosion, 5, 6),
        (notation, "4d6! != 3", Code::SecondExplosion, 5, 9),
        (both, "4d6fail=1", Code::BadCount, 3, 9),
        (both, "4d6count=1count=2", Code::BadCount, 10, 17),
        (notation, "10d10>=6+2", Code::CountIsLast, 0, 8),
        (notation, "2+10d10>=6", Code::CountIsLast, 2, 10),
        (notation, "-10d10>=6", Code::CountIsLast, 1, 9),
        (notation, "10d10>=6>=2", Code::CountIsLast, 0, 8),
        (notation, "{1d6,1d8}>=6 vs 3", Code::CountIsLast, 0, 12),
        (both, "{2d6-1d8}kh1", Code::SubtractedDice, 5, 8),
        (both, "{1d8+3-(2-1d4+2d6)}kl1", Code::SubtractedDice, 14, 17),
        (both, "flor(2)", Code::UnknownFunction, 0, 4),
        (both, "floor(1,2)", Code::WrongArguments, 0, 10),
        (both, "max()", Code::WrongArguments, 0, 5),
        (both, "floor 3", Code::ExpectedOperand, 0, 5),
        (both, "4d6d1", Code::AmbiguousDice, 0, 5),
        (both, "4d6kh3d1", Code::AmbiguousDice, 5, 8),
        (both, "{4d6}d1", Code::AmbiguousDice, 0, 7),
        (notation, "1d20>=2d6", Code::AmbiguousDice, 6, 9),
        (both, "4d6min-1", Code::ExpectedOperand, 6, 8),
        (both, "4d6min", Code::ExpectedOperand, 6, 6),
        (both, "1, 2", Code::StrayCharacter, 1, 2),
        (both, "2d6}", Code::Unopened, 3, 4),
        (both, "{2d6, 3", Code::Unclosed, 0, 1),
        (both, "@{A", Code::Unclosed, 0, 2),
        (both, "@{}", Code::EmptyName, 0, 3),
    ] {
        for &dialect in dialects {
            let parsed = parse(text, dialect, SourceLimits::default());
            let found = parsed.diagnostics;
            assert_eq!(found.len(), 1, "{dialect}: {text}: {found}");
            for one in found.iter() {
                let place = (one.code, one.span);
                assert_eq!(place, (code, Span::new(start, end)), "{dialect}: {text}");
                assert!(one.full_help().is_some(), "{dialect}: {text}");
            }
        }
    }
}

#[test]
fn help_names_what_was_meant() {
    for (dialect, text, wanted) in [
        (Rulebook, "4d6kg3", "`kh3`"),
        (Rulebook, "4d6d1", "`4d6dl1`"),
        (Rulebook, "4d6d1", "`(4d6)d1`"),
        (Rulebook, "4d6r1", "`r=1`"),
        (Rulebook, "4d6!6", "`!==6`"),
        (Notation, "4d6!6", "`!=6`"),
        (Rulebook, "(2d6)kh1", "`2d6kh1` or `{2d6}kh1`"),
        (Rulebook, "(2d6)!", "`2d6!`"),
        (Notation, "10d10>=6+2", "`{10d10>=6}+2`"),
        (Notation, "2*10d10>=6", "`2*{10d10>=6}`"),
        (Notation, "10d10>=6>=2", "`(10d10>=6)>=2`"),
        (Rulebook, "7 % 3", "use the dialect of virtual tabletops"),
        (Rulebook, "flor(2)", "`floor`"),
        (Rulebook, "10d10>=6f1", "`10d10 count>=6 fail=1`"),
    ] {
        let parsed = parse(text, dialect, SourceLimits::default());
        let found = parsed.diagnostics.iter();
        let helps: Vec<String> = found.filter_map(|found| found.full_help()).collect();
        let named = helps.iter().any(|help| help.contains(wanted));
        assert!(named, "{dialect}: {text}: {helps:?}");
    }
}

fn roll(text: &str, dialect: Dialect, faces: &[i64]) -> Rolled {
    let program = compiled(text, Compiler::new().dialect(dialect).rule(text));
    let bound = program.bind(&table(&[("A", 4)])).expect("only [A] is read");
    scripted(&bound, faces)
}

/// Issue 3, section 3.
#[test]
fn rolls_are_shown_die_by_die() {
    for (text, faces, expected) in [
        ("4d6kh3", &[3, 5, 2, 6][..], "4d6[3, 5, ~~2~~, 6] = 14"),
        ("1d20+10 vs 25", &[15], "1d20[15] + 10 vs 25 = Success"),
        (
            "2d20kh1+5 vs 20",
            &[7, 18],
            "2d20[~~7~~, 18] + 5 vs 20 = Success",
        ),
        ("d20", &[4], "1d20[4] = 4"),
        ("d%", &[4], "1d100[4] = 4"),
        ("dF + 2", &[-1], "1dF[-1] + 2 = 1"),
        ("2d6!", &[6, 3, 2], "2d6![6, 2, 3] = 11"),
        ("2d6!!", &[6, 3, 2], "2d6!![8, 3] = 11"),
        ("2d6!p", &[6, 3, 2], "2d6!p[6, 1, 3] = 10"),
        ("2d6r<2", &[1, 3, 4], "2d6r<2[~~1~~, 4, 3] = 7"),
        ("2d6min3sd", &[1, 5], "2d6min3sd[5, 3] = 8"),
        ("3d6kl2sa", &[6, 2, 4], "3d6kl2s[2, 4, ~~6~~] = 6"),
        ("2d6kh(1d2)", &[2, 3, 5], "2d6[3, 5] = 8"),
        ("{2d6, 1d12}kh1", &[3, 4, 5], "{2d6[3, 4], ~~1d12[5]~~} = 7"),
        (
            "{{2d6}, {1d12 + 1d4kh1}}kl1",
            &[3, 1, 5, 2],
            "{{2d6[3, 1]}, ~~{1d12[5] + 1d4[2]}~~} = 4",
        ),
        (
            "{2d6+1d8+3}kh2",
            &[3, 4, 5],
            "{2d6[~~3~~, 4] + 1d8[5] + 3}kh2 = 12",
        ),
        (
            "2d{1,2,hit} + [A]",
            &[3, 2],
            "2d{1,2,hit}[hit, 2] + [A: 4] = 6",
        ),
        ("(1d4)d6", &[2, 3, 5], "(1d4[2])d6[3, 5] = 8"),
        ("max(1d6, 1d8)", &[3, 5], "max(1d6[3], 1d8[5]) = 5"),
    ] {
        for dialect in Dialect::ALL {
            assert_eq!(roll(text, dialect, faces).rendered, expected, "{dialect}");
        }
    }
}

#[test]
fn counts_are_shown_in_their_dialect() {
    let faces = [8, 1, 5, 6];
    for (dialect, text, expected) in [
        (
            Notation,
            "4d10>=6f1",
            "4d10>=6f1[**8**, __1__, 5, **6**] = 1",
        ),
        (
            Rulebook,
            "4d10 count>=6 fail=1 + 2",
            "4d10 count>=6 fail=1[**8**, __1__, 5, **6**] + 2 = 3",
        ),
        (Notation, "4d10dh1>=6", "4d10dh1>=6[~~8~~, 1, 5, **6**] = 1"),
        (Notation, "(4d10) >= 6", "(4d10[8, 1, 5, 6]) >= 6 = true"),
    ] {
        assert_eq!(roll(text, dialect, &faces).rendered, expected);
    }
}

#[test]
fn a_roll_comes_in_pieces_for_colours() {
    let shown = roll("3d20kh2cs>=19cf<=2", Notation, &[19, 1, 2]);
    let pieces: Vec<(&str, Style)> = shown
        .segments
        .iter()
        .map(|segment| (&segment.text[..], segment.style))
        .collect();
    assert_eq!(
        pieces,
        [
            ("3d20[", Style::Plain),
            ("19", Style::Critical),
            (", ", Style::Plain),
            ("1", Style::Dropped),
            (", ", Style::Plain),
            ("2", Style::Fumble),
            ("]", Style::Plain),
            (" = 21", Style::Plain),
        ]
    );
    assert_eq!(shown.rendered, "3d20[19, ~~1~~, 2] = 21");
}

#[test]
fn a_dialect_decides_what_a_text_means() {
    let result = |text: &str, dialect: Dialect, faces: &[i64]| {
        let rendered = roll(text, dialect, faces).rendered;
        let (_, result) = rendered
            .rsplit_once(" = ")
            .expect("every roll has a result");
        result.to_owned()
    };
    for (text, faces, rulebook, notation) in [
        ("1d6 - 5", &[2][..], "0", "-3"),
        ("1d6 / 2", &[5], "2", "2.5"),
        ("-1d6 / 2", &[5], "0", "-2.5"),
        ("floor(-1d6 / 2) + 4", &[5], "1", "1"),
        ("2d6 >= 4", &[3, 5], "true", "1"),
        ("(2d6) >= 4", &[1, 2], "false", "false"),
        ("{2d6, 1d8} >= 5", &[1, 2, 6], "true", "1"),
        ("(1d6 - 5) >= (1 - 2)", &[2], "true", "false"),
        ("1d20 - 5 vs 1", &[2], "Failure", "Failure"),
        ("1d20cs20", &[20], "1", "20"),
        ("{{2d6 > 9}}", &[3, 4], "false", "0"),
    ] {
        assert_eq!(result(text, Rulebook, faces), rulebook, "{text}");
        assert_eq!(result(text, Notation, faces), notation, "{text}");
    }
}

/// A group of one with `+` joins the dice of its pools; see `front/notation/sums.rs`.
#[test]
fn groups_of_one_reach_their_dice() {
    for (text, faces, expected) in [
        (
            "{2d6 + 1d8}kh1",
            &[2, 5, 4][..],
            "{2d6[~~2~~, 5] + 1d8[~~4~~]}kh1 = 5",
        ),
        (
            "{2d6kl1 + (1d8 - 2)}dl1",
            &[2, 5, 4],
            "{2d6[~~2~~, ~~5~~] + (1d8[4] - 2)}dl1 = 2",
        ),
        ("{3 - -1d6}kh1", &[4], "{3 - -1d6[4]}kh1 = 7"),
        ("{2d6 * 2}kh1", &[2, 5], "{2d6[2, 5] * 2}kh1 = 14"),
        (
            "{{2d6} + 1d8}kh1",
            &[2, 5, 4],
            "{{2d6[~~2~~, 5]} + 1d8[~~4~~]}kh1 = 5",
        ),
        (
            "{2d6 + 1d8}count>=4",
            &[2, 5, 4],
            "{2d6[2, **5**] + 1d8[**4**]} count>=4 = 2",
        ),
        (
            "{2d6 + 3}count>=10",
            &[2, 5],
            "{2d6[2, 5] + 3} count>=10 = 1",
        ),
    ] {
        assert_eq!(roll(text, Rulebook, faces).rendered, expected);
    }
}

/// Everything that nests goes as deep as the limit allows on a 2 MiB stack, and one step more is
/// refused.
#[test]
fn nesting_is_bounded_everywhere() {
    let most = SourceLimits::NESTING_CEILING as usize;
    let limits = SourceLimits::default().with_nesting(SourceLimits::NESTING_CEILING);
    let compiler = Compiler::new().dialect(Notation).source_limits(limits);
    for (open, inner, close) in [
        ("(1+", "1d6", ")"),
        ("{1+", "1d6", "}"),
        ("{2, ", "1d6", "}kh1"),
        ("{1d4+", "{1d6}", "}kh1"),
        ("max(1, ", "1d6", ")"),
        ("1d(1+", "1d6", ")"),
        ("2d6kh(1+", "1", ")"),
        ("1d6min(", "1d6", ")"),
        ("2d6!>=(6+", "1", ")"),
        ("1d6>=(", "1", ")"),
        ("1**", "1", ""),
        ("-", "1d6", ""),
    ] {
        let nested = |depth: usize| [&open.repeat(depth), inner, &close.repeat(depth)].concat();
        let depth = most - usize::from(inner.starts_with('{'));
        let text = nested(depth);
        let parsed = parse(&text, Notation, limits);
        assert!(
            parsed.diagnostics.is_empty(),
            "{open}: {}",
            parsed.diagnostics
        );
        print(&parsed.ast, Notation);
        let program = compiler.rule(&text);
        let program = program.unwrap_or_else(|found| panic!("{open}: {found}"));
        let bound = bare(&program);
        bound.roll(&mut Session::seeded(1)).expect("no trap");
        let found = parse(&nested(depth + 1), Notation, limits).diagnostics;
        let codes: Vec<Code> = found.iter().map(|found| found.code).collect();
        assert_eq!(codes, [Code::NestedTooDeep], "{open}");
    }
}

/// Long texts are refused or read in linear time, whatever they repeat.
#[test]
fn long_texts_take_no_long_time() {
    for piece in [
        "d", "d6", "kh", "!", "{", "}", "d{", "sd", "f", ",", "@", "1d6kh1,", "2**", "1d6!",
        "max(", "%", "d%", "kh(", ">=", "d{1,", "r<", "kg",
    ] {
        let text = piece.repeat(10_000 / piece.len());
        for dialect in Dialect::ALL {
            let parsed = parse(&text, dialect, SourceLimits::default());
            assert!(parsed.diagnostics.has_errors(), "{piece}");
            parse(&format!("4d6{text}"), dialect, SourceLimits::default());
            parse(&format!("{{{text}"), dialect, SourceLimits::default());
        }
    }
}

/// A shown roll keeps what was written, and has the numbers that written counts and sides come to.
#[test]
fn a_shown_roll_keeps_what_was_written() {
    for (text, faces, shown) in [
        ("(1+1)d6", &[3, 4][..], "2d6[3, 4] = 7"),
        ("1d(2*3)", &[5], "1d6[5] = 5"),
        ("(1d2)d6", &[1, 5], "(1d2[1])d6[5] = 5"),
        ("(2d6 + 3) * 1", &[1, 2], "(2d6[1, 2] + 3) * 1 = 6"),
        ("((1d6))", &[4], "((1d6[4])) = 4"),
        ("0d6 + 1", &[], "0d6 + 1 = 1"),
        ("4d6kh3", &[1, 2, 3, 4], "4d6[~~1~~, 2, 3, 4] = 9"),
        (
            "4d6kh3>=3",
            &[1, 2, 3, 4],
            "4d6kh3>=3[~~1~~, 2, **3**, **4**] = 2",
        ),
        (
            "{4d6}kh2",
            &[1, 2, 3, 4],
            "{4d6[~~1~~, ~~2~~, 3, 4]}kh2 = 7",
        ),
    ] {
        let rolled = scripted(&bare(&notation(text)), faces);
        assert_eq!(rolled.rendered, shown, "{text}");
    }
}
