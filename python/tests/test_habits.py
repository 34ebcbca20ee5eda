"""What users of icepool, SciPy, NumPy and pandas try first. Each test is a habit.

Numbers are compared with a second computation: every combination of faces, counted in fractions.
"""

import copy
import itertools
import json
import operator
import pickle
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import lru_cache
from multiprocessing import get_context

import dicec
import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from dicec import compare, d, die, highest, lowest

d4, d6, d8, d20 = d(4), d(6), d(8), d(20)
ATTACK = dicec.odds("1d20 + 7 >= 15")


def every(f, *sides):
    """The odds of a function of dice, by listing every roll."""
    rolls = list(itertools.product(*(range(1, count + 1) for count in sides)))
    counts = Counter(f(*roll) for roll in rolls)
    return {value: Fraction(count, len(rolls)) for value, count in sorted(counts.items())}


def is_every(odds, f, *sides):
    """Whether odds are those of every roll, in fractions."""
    found = {value: p for value, p in odds.fractions().items() if p}
    return odds.exact and found == every(f, *sides)


# Operators: each operand is a roll of its own.


def test_dice_add_up():
    assert is_every(d6 + d6, lambda a, b: a + b, 6, 6)


def test_the_same_die_twice_is_two_rolls():
    die_ = d6
    assert (die_ + die_).fraction(3) == Fraction(2, 36)
    assert (die_ - die_).fraction(0) == Fraction(1, 6)


def test_several_dice_with_an_at_sign():
    assert 3 @ d6 == d6 + d6 + d6 == dicec.odds("3d6")
    assert (0 @ d6).fractions() == {0: 1}
    assert 100 @ d6 == dicec.odds("100d6")


def test_a_random_number_of_dice():
    expected = Counter()
    for rolls in range(1, 4):
        for roll in itertools.product(range(1, 5), repeat=rolls):
            expected[sum(roll)] += Fraction(1, 3 * 4**rolls)
    assert (d(3) @ d4).fractions() == dict(sorted(expected.items()))


def test_numbers_on_either_side():
    assert is_every(d6 + 3, lambda a: a + 3, 6)
    assert is_every(3 + d6, lambda a: a + 3, 6)
    assert is_every(10 - d6, lambda a: 10 - a, 6)


def test_differences_are_below_zero():
    assert is_every(d6 - d8, operator.sub, 6, 8)
    assert (d6 - 3).min == -2


def test_products_and_quotients():
    assert is_every(d6 * d4, operator.mul, 6, 4)
    assert is_every(d20 // d4, operator.floordiv, 20, 4)
    assert is_every(d20 % 6, lambda a: a % 6, 20)
    assert is_every(d4**2, lambda a: a**2, 4)
    assert is_every(d4 / 2, lambda a: a / 2, 4)


def test_signs():
    assert is_every(-d6, operator.neg, 6)
    assert is_every(abs(d6 - d8), lambda a, b: abs(a - b), 6, 8)
    assert +d6 == d6


def test_the_builtin_sum():
    assert sum([d6, d6, d8]) == d6 + d6 + d8
    assert is_every(sum([d6, d6, d8]), lambda a, b, c: a + b + c, 6, 6, 8)


def test_numbers_of_numpy_stand_beside_dice():
    assert numpy.int64(3) + d6 == d6 + numpy.int64(3) == d6 + 3
    assert (d6 >= numpy.int64(5)).fraction() == Fraction(1, 3)


def test_odds_of_rules_are_operands():
    assert (dicec.odds("4d6kh3") + 2).mean == pytest.approx(dicec.odds("4d6kh3 + 2").mean)
    assert dicec.odds("2d6") + dicec.odds("1d8") == dicec.odds("2d6 + 1d8")


def test_large_sums_are_quick_and_exact():
    total = d(100) + 20 @ d(100)
    assert total.exact and total == dicec.odds("21d100")


def test_weights_of_many_digits():
    many = dicec.odds("60d6")
    assert many * 1 == many
    assert sum((many * 2).fractions().values()) == 1


def test_comparisons_are_checks():
    check = d20 + 7 >= 15
    assert (check.kind, check.p(), check.fraction()) == ("check", 0.65, Fraction(13, 20))
    assert check == ATTACK


def test_dice_against_dice():
    for compared in [operator.gt, operator.ge, operator.lt, operator.le]:
        assert is_every(compared(d6, d8), compared, 6, 8)
    assert is_every(10 <= d20, lambda a: a >= 10, 20)


def test_a_check_is_a_float():
    assert float(d20 >= 11) == 0.5
    with pytest.raises(TypeError, match="take mean"):
        float(d20)


def test_a_check_is_neither_true_nor_false():
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(d20 >= 11)
    assert bool(d20)


def test_damage_on_a_hit():
    expected = every(lambda a, b: (a + 5 >= 12) * b, 20, 8)
    assert ((d20 + 5 >= 12) * d8).fractions() == expected


def test_checks_and_or_not():
    low, six = d6 <= 2, d6 >= 6
    assert (low & six).fraction() == Fraction(1, 18)
    assert (low | six).fraction() == Fraction(1, 3) + Fraction(1, 6) - Fraction(1, 18)
    assert (~low).fraction() == Fraction(2, 3)
    with pytest.raises(TypeError, match="between checks"):
        _ = d6 & d6


def test_the_highest_and_the_lowest():
    assert is_every(highest(d6, d8), max, 6, 8)
    assert is_every(lowest(d6, d8, 4), lambda a, b: min(a, b, 4), 6, 8)
    assert highest(d20, d20) == dicec.odds("2d20kh1")


def test_the_builtin_max_says_what_to_do():
    with pytest.raises(TypeError, match=r"dicec\.highest\(a, b\)"):
        max(d6, d8)


def test_map():
    assert is_every((2 @ d6).map(lambda total: total // 2), lambda a, b: (a + b) // 2, 6, 6)
    assert d6.map(lambda face: face > 4).p() == pytest.approx(1 / 3)


def test_map_to_names():
    named = d6.map({1: "miss", 2: "miss", 3: "hit", 4: "hit", 5: "hit", 6: "crit"})
    assert named.kind == "label"
    assert named.fractions() == {
        "miss": Fraction(1, 3),
        "hit": Fraction(1, 2),
        "crit": Fraction(1, 6),
    }


def test_map_from_names():
    assert dicec.odds("d{hit,hit,miss}").map({"hit": 1, "miss": 0}).mean == pytest.approx(2 / 3)
    with pytest.raises(TypeError, match="a label is no number"):
        _ = dicec.odds("d{hit,miss}") + 1


def test_map_has_results_of_one_type():
    with pytest.raises(TypeError, match="int, str"):
        d6.map(lambda face: "six" if face == 6 else face)


def test_exploding_dice_keep_what_is_left_out():
    once = dicec.odds("1d6!")
    twice = once + once
    assert twice.left_out == pytest.approx(2 * once.left_out)
    assert twice.max is None and twice.min == 2
    assert twice.mean == pytest.approx(8.4)
    assert (-once).min is None and (-once).max == -1
    assert (lowest(once, 6).max, highest(once, 6).max) == (6, None)
    assert (once >= 7).p() == pytest.approx(1 / 6)


def test_clamping_is_told_of_sums():
    clamped = dicec.odds("1d6 - 3")
    assert (clamped + 1).clamped == pytest.approx(1 / 3)
    assert (clamped + clamped).clamped == pytest.approx(5 / 9)


def test_sampled_odds_are_not_combined():
    sampled = dicec.sim("3d6", trials=10_000, seed=1)
    assert (sampled + 2).mean == pytest.approx(sampled.mean + 2)
    assert not (sampled >= 11).exact and (sampled >= 11).p() == sampled.p(ge=11)
    with pytest.raises(ValueError, match="sampled odds cannot be combined"):
        _ = sampled + sampled


def test_too_large_numbers():
    with pytest.raises(OverflowError, match="64-bit"):
        _ = d6 * 2**63
    with pytest.raises(ZeroDivisionError):
        _ = d6 // 0


def test_other_things_are_no_operands():
    for wrong in ["2", None, [1]]:
        with pytest.raises(TypeError):
            _ = d6 + wrong


def test_odds_have_the_text_of_the_arithmetic():
    assert (2 @ d6 + 3).expression == "(2 @ 1d6) + 3"


# Equality, copies and pickles.


def test_equality_is_of_distributions():
    assert d6 + d6 == dicec.odds("2d6")
    assert d6 != d8
    assert d6 != "1d6"
    assert dicec.odds("1d6 + 1") != dicec.odds("1d6")


def test_equality_with_a_number_is_refused():
    with pytest.raises(TypeError, match=r"p\(15\)"):
        _ = d20 == 15
    with pytest.raises(TypeError, match=r"p\(15\)"):
        _ = d20 != 15


def test_sampled_odds_equal_those_of_the_same_seed():
    one, two, other = (dicec.sim("3d6", trials=5000, seed=seed) for seed in (1, 1, 2))
    assert one == two != other
    assert one != dicec.odds("3d6")


def test_odds_are_keys():
    assert {d6 + d6: "two"}[dicec.odds("2d6")] == "two"
    assert len({d6, dicec.odds("1d6"), d8}) == 2


def test_caches():
    @lru_cache
    def mean(odds):
        return odds.mean

    assert mean(d6) == mean(dicec.odds("1d6"))
    assert mean.cache_info().hits == 1


KINDS = ["3d6", "1d20 + 7 >= 15", "1d20 + 7 vs 15", "d{hit,miss}", "3d6!", "60d6", "1d6 - 3"]


@pytest.mark.parametrize("rule", KINDS)
def test_pickles(rule):
    odds = dicec.odds(rule)
    again = pickle.loads(pickle.dumps(odds))
    assert again == odds and hash(again) == hash(odds)
    document, expected = again.to_dict(), odds.to_dict()
    for name in ["check", "error_bound", "outcomes", "clamped"]:
        document.pop(name, None), expected.pop(name, None)
    assert document == expected
    assert (again.clamped, again.left_out) == (odds.clamped, odds.left_out)


def test_pickles_of_simulations():
    odds = dicec.sim("3d6", trials=5000, seed=1)
    again = pickle.loads(pickle.dumps(odds))
    assert again == odds
    kept = [again.seed, again.trials, again.exact, again.stderr, again.to_dict()["backend"]]
    assert kept == [1, 5000, False, odds.stderr, odds.to_dict()["backend"]]


def test_copies():
    assert copy.copy(d6) == copy.deepcopy([d6])[0] == d6


def test_processes():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(operator.add, d6, d6).result() == dicec.odds("2d6")


# A mapping from results to probabilities.


def test_iteration():
    assert list(d4) == [1, 2, 3, 4]
    assert [value for value in ATTACK] == [False, True]


def test_dict():
    assert dict(d4) == {1: 0.25, 2: 0.25, 3: 0.25, 4: 0.25}
    assert dict(ATTACK) == {False: 0.35, True: 0.65}


def test_len_counts_results():
    assert len(2 @ d6) == 11


def test_subscripts():
    assert (2 @ d6)[12] == pytest.approx(1 / 36)
    assert dicec.odds("d{hit,hit,miss}")["hit"] == pytest.approx(2 / 3)
    with pytest.raises(KeyError):
        _ = d6[7]


def test_in_and_get():
    assert 6 in d6 and 7 not in d6
    assert d6.get(6) == pytest.approx(1 / 6)
    assert (d6.get(7), d6.get(7, 0.0)) == (None, 0.0)


def test_keys_values_items():
    assert list(d4.keys()) == list(d4)
    assert list(d4.values()) == [0.25] * 4
    assert dict(d4.items()) == dict(d4)


def test_fractions():
    assert d4.fractions() == dict.fromkeys([1, 2, 3, 4], Fraction(1, 4))
    assert dicec.odds("1d6!").fractions() is None


# Figures by their names in SciPy and icepool.


def test_pmf():
    assert d6.pmf(3) == d6.p(3)
    assert d6.pmf([0, 3, 7]).tolist() == [0.0, d6.p(3), 0.0]
    assert d6.pmf(numpy.array([[1, 2]])).shape == (1, 2)


def test_cdf_and_sf():
    assert d6.cdf(2) == pytest.approx(1 / 3)
    assert d6.sf(2) == pytest.approx(2 / 3)
    assert d6.cdf(numpy.arange(8))[-1] == 1.0


def test_ppf():
    assert d20.ppf(0.5) == d20.quantile(0.5) == 10
    assert d20.ppf([0.05, 0.95]).tolist() == [1, 19]


def test_rvs():
    drawn = d6.rvs(1000, random_state=1)
    assert drawn.shape == (1000,) and set(drawn) == set(range(1, 7))
    assert (drawn == d6.rvs(1000, random_state=1)).all()
    assert d6.rvs((2, 3), numpy.random.default_rng(1)).shape == (2, 3)
    assert isinstance(d6.rvs(), int)


def test_std_and_var():
    assert d6.var == 35 / 12
    assert d6.std == d6.sd == pytest.approx((35 / 12) ** 0.5)


def test_median_and_mode():
    assert ((3 @ d6).median, (2 @ d6).mode) == (10, 7)
    assert dicec.odds("d{hit,hit,miss}").mode == "hit"


def test_p_with_any_bound():
    assert d20.p(gt=14) == d20.p(ge=15) == 0.3
    assert d20.p(lt=5) == d20.p(le=4) == 0.2
    assert d20.p(eq=15) == d20.p(15) == 0.05
    assert d20.p(gt=4, lt=7) == d20.p(ge=5, le=6) == 0.1
    assert d20.fraction(gt=14) == Fraction(3, 10)
    assert d20.p(gt=14.5) == d20.p(ge=14.5) == 0.3
    assert (d20.p(gt=float("inf")), d20.p(lt=float("-inf"))) == (0.0, 0.0)
    assert d20.p(gt=9, lt=9) == 0.0
    with pytest.raises(TypeError, match="not both"):
        d20.p(eq=15, ge=3)


def test_bounds_of_decimals():
    halves = dicec.odds("1d4 / 2", dialect="notation")
    assert (halves.p(gt=1.0), halves.p(lt=1.0), halves.p(eq=1.0)) == (0.5, 0.25, 0.25)


# Formats, tables and pictures.


def test_format():
    assert f"{d6:.2f}" == "3.50"
    assert f"{ATTACK:.1%}" == "65.0%"
    assert f"{d6}" == str(d6)
    assert f"{d4:md}".splitlines()[2] == "| 1 | 25.0000% |"


def test_to_json():
    assert json.loads(d6.to_json(indent=1)) == d6.to_dict()


def test_to_pandas():
    series = (2 @ d6).to_pandas()
    assert series.loc[7] == pytest.approx(1 / 6)
    assert (series.index.name, series.sum()) == ("outcome", pytest.approx(1))
    assert pandas.Series(d4).to_dict() == dict(d4)


def test_to_polars():
    frame = d4.to_polars()
    assert frame.columns == ["outcome", "probability"]
    assert frame["probability"].to_list() == [0.25] * 4


def test_to_numpy():
    results, chances = d4.to_numpy()
    assert results.tolist() == [1, 2, 3, 4] and numpy.dot(results, chances) == d4.mean


def test_plot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    axes = (2 @ d6).plot()
    assert len(axes.patches) == 11
    assert dicec.odds("d{hit,miss}").plot(ax=axes) is axes


def test_a_package_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(ImportError, match="to_polars needs polars: pip install polars"):
        d6.to_polars()


# Dice, and questions about several rules.


def test_dice_of_any_size():
    assert d(6) == dicec.odds("1d6") and d(numpy.int64(6)) == d6
    for wrong, error in [(0, ValueError), (2.5, TypeError), ("6", TypeError)]:
        with pytest.raises(error, match="die"):
            d(wrong)


def test_dice_of_ones_own():
    assert die([1, 2, 2, 3]).fraction(2) == Fraction(1, 2)
    assert die({"hit": 2, "miss": 1})["hit"] == pytest.approx(2 / 3)
    assert 2 @ die([0, 1]) == dicec.odds("2d2 - 2")
    with pytest.raises(ValueError, match="at least one face"):
        die([])


def test_compare_takes_texts():
    expected = dicec.odds("4d6kh3").compare(dicec.odds("3d6"))
    assert compare("4d6kh3", "3d6") == compare(dicec.odds("4d6kh3"), 3 @ d6) == expected


def test_a_list_of_rules():
    one, two = dicec.odds(["3d6", "4d6kh3"])
    assert (one.mean, two.expression) == (10.5, "4d6kh3")
    by_name = dicec.odds({"old": "[N] + 3d6", "new": "4d6kh3"}, N=1)
    assert by_name["old"].mean == 11.5


def test_resources_as_a_keyword():
    given = {"Attack": 5}
    assert dicec.odds("1d20 + [Attack]", resources=given).max == 25
    assert dicec.sim("[Attack]", resources=given, trials=10).mean == 5
    assert dicec.roll("[Attack]", resources=given).result == 5


def test_sweep():
    swept = dicec.sweep("1d20 + [Attack] >= [AC]", Attack=range(1, 4), AC=[12, 15])
    assert [values for values, _ in swept][:3] == [
        {"Attack": 1, "AC": 12},
        {"Attack": 1, "AC": 15},
        {"Attack": 2, "AC": 12},
    ]
    assert swept[1][1].p() == 0.35
    table = pandas.DataFrame([{**values, "p": odds.p()} for values, odds in swept])
    assert table.groupby("AC")["p"].mean()[15] == pytest.approx(0.4)


# Rolls.


def test_a_roll_is_a_number():
    roll = dicec.roll("2d6 + 3", faces=[4, 5])
    assert (roll.total, int(roll), float(roll)) == (12, 12, 12.0)
    with pytest.raises(TypeError, match="no total"):
        _ = dicec.roll("d{hit,miss}").total


def test_the_dice_of_a_roll():
    roll = dicec.roll("2d20kh1", faces=[7, 18])
    assert [(die.face, die.kept) for die in roll.dice] == [(7, False), (18, True)]
    assert roll.dice[0].sides == 20


def test_criticals():
    assert dicec.roll("1d20 + 5", faces=[20]).crit
    assert dicec.roll("1d20 + 5", faces=[1]).fumble
    assert not dicec.roll("2d20kl1", faces=[20, 3]).crit


def test_a_roll_as_text_and_in_a_notebook():
    roll = dicec.roll("1d20 + 5 >= 15", faces=[12])
    assert str(roll) == "1d20[12] + 5 >= 15 = true"
    assert "5 &gt;= 15" in roll._repr_html_()


# Samples.


def test_samples_of_a_shape():
    row = dicec.sample("2d6", 6, seed=1)
    assert (dicec.sample("2d6", size=(2, 3), seed=1).ravel() == row).all()
    assert dicec.sample("d{hit,miss}", (2, 2), seed=1).shape == (2, 2)


def test_samples_of_a_generator():
    one, two = (dicec.sample("2d6", 9, rng=numpy.random.default_rng(1)) for _ in range(2))
    assert (one == two).all()
    generator = numpy.random.default_rng(1)
    first, second = (dicec.sample("2d6", 9, rng=generator) for _ in range(2))
    assert (first != second).any()
    with pytest.raises(TypeError, match="not both"):
        dicec.sample("2d6", 9, seed=1, rng=generator)


def test_errors_of_samples_are_those_of_numpy():
    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        dicec.sample("2d6", -1)
    with pytest.raises(ValueError, match="a seed is a whole number from 0"):
        dicec.sample("2d6", 3, seed=-1)
    with pytest.raises(TypeError, match="a seed is a whole number, not str"):
        dicec.sample("2d6", 3, seed="one")
    with pytest.raises(TypeError, match="a rule is a text"):
        dicec.sample(6, 3)


# Tables.

COLUMNS = {"Attack": [5, 6], "AC": [12, 18]}


def test_batch_of_a_dictionary():
    assert dicec.batch(COLUMNS, "1d20 + [Attack] >= [AC]") == {**COLUMNS, "odds_p": [0.7, 0.45]}


def test_batch_of_a_list():
    rows = [{"Attack": 5, "AC": 12}, {"Attack": 6, "AC": 18}]
    done = dicec.batch(rows, {"hit": "1d20 + [Attack] >= [AC]"})
    assert [row["hit_p"] for row in done] == [0.7, 0.45]


def test_batch_of_a_path(tmp_path):
    polars.DataFrame(COLUMNS).write_csv(tmp_path / "foes.csv")
    pyarrow.parquet.write_table(pyarrow.table(COLUMNS), tmp_path / "foes.parquet")
    for path in [tmp_path / "foes.csv", str(tmp_path / "foes.parquet")]:
        done = dicec.batch(path, {"hit": "1d20 + [Attack] >= [AC]"})
        assert done["hit_p"].to_pylist() == [0.7, 0.45]
    with pytest.raises(ValueError, match=r"\.csv or \.parquet"):
        dicec.batch("foes.xlsx", "1d20")
    with pytest.raises(FileNotFoundError):
        dicec.batch("nowhere.csv", "1d20")


def test_batch_of_a_lazy_frame():
    lazy = dicec.batch(polars.LazyFrame(COLUMNS), {"hit": "1d20 + [Attack] >= [AC]"})
    assert lazy.filter(polars.col("hit_p") > 0.5).collect()["Attack"].to_list() == [5]


def test_quantiles_are_columns_of_numbers():
    frame = pandas.DataFrame({"Dice": ["2d6", "1d12", "2d6"], "Who": ["a", "a", "b"]})
    done = dicec.batch(frame, {"damage": "[Dice]"})
    assert done.groupby("Who")["damage_p95"].max().to_dict() == {"a": 12, "b": 11}
    assert done["damage_p50"].tolist() == [7, 6, 7]


# Errors.


def test_errors_speak_python():
    wrong = [
        lambda: dicec.encounter("1 Zzzqqq vs 2 Goblin"),
        lambda: dicec.odds("20000d6"),
        lambda: dicec.odds("100d6kh50", limits={"work": 1000}),
        lambda: dicec.odds("2d6 + [Strenght]"),
    ]
    for question in wrong:
        with pytest.raises(dicec.DiceError) as caught:
            question()
        assert " --" not in f"{caught.value.message} {caught.value.help}"
