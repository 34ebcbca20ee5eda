"""Exact odds, against every roll counted by hand and against the command."""

import itertools
from collections import Counter
from fractions import Fraction

import dicec
import pytest


def counted(dice, total):
    """The odds of a total of dice, by listing every roll."""
    rolls = list(itertools.product(*(range(1, sides + 1) for sides in dice)))
    counts = Counter(total(roll) for roll in rolls)
    return {value: Fraction(count, len(rolls)) for value, count in counts.items()}


RULES = [
    ("3d6", [6] * 3, sum),
    ("4d6kh3", [6] * 4, lambda roll: sum(sorted(roll)[1:])),
    ("2d6+3", [6] * 2, lambda roll: sum(roll) + 3),
    ("2d20kl1", [20] * 2, min),
    ("1d4 * 1d6", [4, 6], lambda roll: roll[0] * roll[1]),
]


@pytest.mark.parametrize(("rule", "dice", "total"), RULES)
def test_odds_are_those_of_every_roll(rule, dice, total):
    expected = counted(dice, total)
    odds = dicec.odds(rule)
    assert odds.exact
    assert [value for value, _ in odds.outcomes()] == sorted(expected)
    for value, p in expected.items():
        assert odds.fraction(value) == p
        assert odds.p(value) == float(p)
    assert odds.mean == pytest.approx(float(sum(value * p for value, p in expected.items())))
    assert (odds.min, odds.max) == (min(expected), max(expected))
    for low, high in [(3, 5), (5, 5), (9, 30)]:
        held = sum(p for value, p in expected.items() if low <= value <= high)
        assert odds.fraction(ge=low, le=high) == held
    for q in [0.05, 0.5, 0.9]:
        at_most = itertools.accumulate(expected[value] for value in sorted(expected))
        least = next(v for v, p in zip(sorted(expected), at_most) if p >= Fraction(q))
        assert odds.quantile(q) == least


def test_comparisons_are_those_of_every_pair():
    one, two = counted([6] * 3, sum), counted([4] * 4, sum)
    pairs = [(a - b, p * q) for a, p in one.items() for b, q in two.items()]
    chances = dicec.odds("3d6").compare(dicec.odds("4d4"))
    assert chances.greater == pytest.approx(float(sum(p for d, p in pairs if d > 0)))
    assert chances.equal == pytest.approx(float(sum(p for d, p in pairs if d == 0)))
    assert chances.less == pytest.approx(float(sum(p for d, p in pairs if d < 0)))
    halves = dicec.odds("2d6 / 4", dialect="notation")
    assert dicec.odds("1d3").compare(halves).equal > 0
    with pytest.raises(ValueError, match="a number cannot be compared with a check"):
        dicec.odds("3d6").compare(dicec.odds("3d6 > 3"))
    with pytest.raises(ValueError, match="cannot be compared"):
        dicec.odds("d{hit,miss}").compare(dicec.odds("d{hit,miss}"))


def test_checks_degrees_and_labels():
    check = dicec.odds("1d20 + [Attack] >= [Target AC]", {"Target AC": 15}, Attack=6)
    assert (check.kind, check.p(), check.p(True), check.p(False)) == ("check", 0.6, 0.6, 0.4)
    assert check.fraction() == Fraction(3, 5)
    assert check.outcomes() == [(False, 0.4), (True, 0.6)]
    degree = dicec.odds("1d20 + 7 vs 15")
    assert degree.kind == "degree"
    assert degree.p() == degree.p("Success") + degree.p("Critical Success")
    label = dicec.odds("d{hit,hit,miss}")
    assert label.fraction("hit") == Fraction(2, 3)
    with pytest.raises(ValueError, match='there is no result "Hit"; there are: hit, miss'):
        label.p("Hit")
    with pytest.raises(ValueError, match="a label has no mean"):
        _ = label.mean
    with pytest.raises(TypeError, match="say of which result"):
        label.p()


def test_resources_are_numbers_or_dice():
    for value in [4, "4", " 4 "]:
        assert dicec.odds("1d6 + [Strength]", Strength=value).max == 10
    assert dicec.odds("[Damage] + 1", {"Damage": "2d6"}).max == 13
    assert dicec.odds("[Rate] * 2", {"Rate": 1.5}, dialect="notation").mean == 3.0
    for value in [True, None, [4]]:
        with pytest.raises(TypeError, match=r"the resource \[Strength\] has to be a number"):
            dicec.odds("1d6 + [Strength]", Strength=value)


def test_documents_are_those_of_the_command(command_json):
    for rule in ["4d6kh3", "1d20 + 7 >= 15", "3d6!", "2d6[fire] + 1d4"]:
        document = command_json("odds", rule)
        # Subtotals of labels are asked for by themselves.
        document.pop("subtotals", None)
        assert dicec.odds(rule).to_dict() == document


def test_what_exploding_dice_leave_out_is_told():
    odds = dicec.odds("1d6!")
    assert odds.max is None
    assert 0 < odds.left_out < 1e-14
    assert odds.fraction(6) is None


def test_clamping_is_told():
    assert dicec.odds("1d6 - 3").clamped == pytest.approx(1 / 3)
    assert dicec.odds("1d6 + 3").clamped is None


def test_totals_that_are_no_numbers():
    odds = dicec.odds("3d6")
    assert odds.p(7.5) == 0.0
    assert odds.p(ge=7.5) == odds.p(ge=8)
    assert odds.p(ge=float("inf")) == 0.0
    for wrong in ["7", True, None]:
        with pytest.raises(TypeError):
            odds.p(wrong) if wrong is not None else odds.p()
    with pytest.raises(ValueError, match="NaN"):
        odds.p(ge=float("nan"))
    with pytest.raises(TypeError, match="not both"):
        odds.p(7, ge=3)
    with pytest.raises(ValueError, match="from 0 to 1"):
        odds.quantile(1.5)


def test_notebooks_show_a_table_and_a_picture():
    odds = dicec.odds("1d20 + 7 >= 15")
    html = odds._repr_html_()
    assert "1d20 + 7 &gt;= 15" in html
    assert html.count("<tr>") == html.count("</tr>") == 2
    assert odds._repr_svg_().startswith("<svg") and odds.svg().rstrip().endswith("</svg>")
    many = dicec.odds("10d100")._repr_html_()
    assert 10 <= many.count("<tr>") <= 25


def test_answers_are_checked():
    check = {"trials": 256, "replayed": 0}
    assert dicec.odds("4d6kh3").to_dict()["check"] == check
    assert "check" not in dicec.odds("4d6kh3", limits={"check": 0}).to_dict()
    assert issubclass(dicec.WrongAnswer, dicec.DiceError)
