"""Scripts: of files and of texts, with arguments, options and statistics."""

import json
from fractions import Fraction

import dicec
import numpy
import pytest

ATTACK = """
defroll "Attack" attack(bonus: int, ac: int = 15) {
    if (userOption("Bless?")) { bonus += roll(d4); }
    die = roll(d20);
    stat("die", die);
    if (die + bonus >= ac) { output("hit with " + die); return true; }
    output("miss");
    return false;
}
"""


@pytest.fixture
def duel(examples):
    return dicec.Script(examples / "duel.dice"), json.loads((examples / "duel.json").read_text())


def test_a_file_has_the_odds_of_the_command(duel, command_json):
    script, args = duel
    odds = script.odds(args)
    expected = command_json("odds", "examples/duel.dice", "--args", "examples/duel.json")
    assert odds.to_dict() == expected
    assert odds.result.p() == expected["result"]["p"]
    assert odds.lines == {line["line"]: line["per_trial"] for line in expected["lines"]}
    assert odds.stats["rounds"].mean == expected["stats"][0]["odds"]["mean"]
    html = odds._repr_html_()
    assert "Ayla wins" in html and "rounds" in html


def test_a_simulation_is_that_of_the_command(duel, command_json):
    script, args = duel
    words = ["sim", "examples/duel.dice", "--args", "examples/duel.json"]
    expected = command_json(*words, "-n", "20000", "--seed", "5")
    found = script.sim(args, trials=20_000, seed=5).to_dict()
    for clock in ["elapsed_ns", "trials_per_second"]:
        del expected[clock], found[clock]
    assert found == expected


def test_rolls_of_a_text():
    script = dicec.Script(ATTACK)
    assert script.rolls == ["attack"]
    roll = script.roll({"bonus": 30}, seed=1)
    assert roll.result is True
    assert roll.lines == [roll.text.splitlines()[0]]
    assert script.roll({"bonus": 30}, seed=1).to_dict() == roll.to_dict()
    assert script.odds({"bonus": 4, "ac": 15}).result.p() == 0.5


def test_options_are_decided():
    script = dicec.Script(ATTACK)
    plain = script.odds({"bonus": 4}).result.p()
    for how, gain in [("always", 0.125), (True, 0.125), (0.5, 0.0625), ("never", 0), (False, 0)]:
        odds = script.odds({"bonus": 4}, options={"Bless?": how})
        assert odds.result.p() == pytest.approx(plain + gain)
    with pytest.raises(dicec.DiceError) as caught:
        script.odds({"bonus": 4}, options={"Bles?": True})
    assert (caught.value.code, caught.value.help) == ("D0514", "there are: Bless?")


def test_arguments_may_be_of_numpy():
    script = dicec.Script(ATTACK)
    args = {"bonus": numpy.int64(4), "ac": numpy.array(15)}
    assert script.odds(args).result.p() == 0.5
    with pytest.raises(TypeError, match="has no place in JSON"):
        script.odds({"bonus": object()})


def test_what_is_wrong_is_told(tmp_path):
    script = dicec.Script(ATTACK)
    for args, message in [(None, "bonus"), ({"bonus": "high"}, "bonus"), ({"bons": 3}, "bons")]:
        with pytest.raises(dicec.DiceError, match=message) as caught:
            script.odds(args)
        assert caught.value.code == "D0511"
    with pytest.raises(dicec.DiceError) as caught:
        script.odds({"bonus": 4}, roll="atack")
    assert (caught.value.code, caught.value.help) == ("D0513", "did you mean attack?")
    with pytest.raises(dicec.DiceError, match="cannot read the script") as caught:
        dicec.Script("nowhere.dice")
    assert caught.value.code == "D0501"
    with pytest.raises(dicec.DiceError) as caught:
        dicec.Script('defroll "A" a() { return roll(d6) + x; }')
    first, last = caught.value.span
    assert caught.value.findings[0].text[first:last] == "x"
    several = dicec.Script('defroll "A" a() { return 1; }\ndefroll "B" b() { return 2; }')
    with pytest.raises(dicec.DiceError) as caught:
        several.odds()
    assert caught.value.help == 'choose one: roll="name"; there are: a, b'
    assert several.odds(roll="b").result.mean == 2


def test_imports_are_next_to_the_script(tmp_path):
    (tmp_path / "lib.dice").write_text("deffun twice(x: int) : int { return 2 * x; }\n")
    main = tmp_path / "main.dice"
    main.write_text('import "lib.dice";\ndefroll "A" a() { return twice(roll(d6)); }\n')
    assert dicec.Script(str(main)).odds().result.max == 12
    with pytest.raises(dicec.DiceError, match="lib.dice"):
        (tmp_path / "lib.dice").unlink()
        dicec.Script(main)


def test_a_script_describes_itself():
    described = dicec.Script(ATTACK).describe()
    assert json.dumps(described)
    assert "attack" in json.dumps(described)


PARTS = """
defroll "Two dice" two(sides: int = 6) {
    a = roll(d(1, sides)); b = roll(d(1, sides));
    return { best: max(a, b), twins: a == b, word: a > b ? "first" : "other" };
}
"""


def test_parts_have_odds_of_their_own_and_together(tmp_path, command_json):
    path = tmp_path / "two.dice"
    path.write_text(PARTS)
    odds = dicec.Script(path).odds()
    assert odds.result is None and list(odds.parts) == ["best", "twins", "word"]
    assert odds["best"].p(6) == 11 / 36 and odds.parts["twins"].p() == 1 / 6
    joint = odds.joint("twins", "word")
    assert joint.parts == ["twins", "word"]
    assert joint.p(True, "other") == 1 / 6 and joint.p(True, "first") == 0
    assert joint.fraction(False, "first") == Fraction(5, 12)
    assert sum(p for _, p in joint.outcomes()) == pytest.approx(1)
    assert joint.to_dict() == command_json("odds", str(path), "--joint", "twins,word")
    assert joint.records()[-1] == {"twins": True, "word": "other", "p": 1 / 6}
    assert "twins" in odds._repr_html_() and "3 combinations" in repr(joint)
    with pytest.raises(KeyError, match="there are: best, twins, word"):
        odds["bets"]
    with pytest.raises(dicec.DiceError, match="did you mean best"):
        odds.joint("bets", "twins")
    with pytest.raises(ValueError, match="a value for each of the 2 parts"):
        joint.p(True)
    with pytest.raises(ValueError, match="only exact odds"):
        dicec.Script(path).sim(trials=100, seed=1).joint("best", "twins")


def test_odds_given_a_condition(tmp_path, command_json):
    path = tmp_path / "two.dice"
    path.write_text(PARTS)
    odds = dicec.Script(path).odds()
    six = odds.given("best = 6")
    assert six.given_p == 11 / 36 and odds.given_p == 1
    assert six["twins"].fraction() == Fraction(1, 11)
    assert six.to_dict() == command_json("odds", str(path), "--given", "best = 6")
    both = six.given("not twins")
    assert both.given_p == pytest.approx(10 / 36) and both["twins"].p() == 0
    assert both.to_dict()["given"]["condition"] == "(best = 6) and (not twins)"
    with pytest.raises(dicec.DiceError, match="did you mean `best`"):
        odds.given("bets > 1")
    with pytest.raises(dicec.DiceError, match="its probability is 0"):
        odds.given("best > 6")
    with pytest.raises(dicec.DiceError, match="are exact, and these are not"):
        dicec.Script(path).sim(trials=100, seed=1).given("best = 6")


def test_rules_given_a_condition(command_json):
    odds = dicec.odds("4d6kh3").given("total >= 10")
    assert odds.min == 10 and 0 < odds.given_p < 1
    assert odds.to_dict() == command_json("odds", "4d6kh3", "--given", "total >= 10")
    assert odds.given("total < 12").max == 11
    with pytest.raises(ValueError, match="only the exact odds of a rule"):
        dicec.sim("2d6", trials=100, seed=1).given("total > 3")
