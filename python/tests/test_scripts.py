"""Scripts: of files and of texts, with arguments, options and statistics."""

import json

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
