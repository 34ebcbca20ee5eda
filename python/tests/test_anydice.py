"""AnyDice programs: outputs by name and position, given variables, and what is wrong."""

from fractions import Fraction

import dicec
import pytest

PROGRAM = """
N: 4
output [highest 3 of Nd6] named "ability"
output 3d6 named "old"
output d{}
"""


def test_outputs_have_names_and_positions():
    outputs = dicec.anydice(PROGRAM)
    assert outputs.names == ["ability", "old", "output 3"]
    assert len(outputs) == 3
    ability, old, empty = outputs
    assert ability.fraction(ge=15) == outputs["ability"].fraction(ge=15) == Fraction(25, 108)
    assert old.mean == outputs[1].mean == outputs[-2].mean == 10.5
    assert empty is None and outputs["output 3"] is None
    assert "old" in outputs and "new" not in outputs
    assert [name for name, _ in outputs.items()] == outputs.names
    assert ability.compare(old).greater > 0.5
    assert repr(outputs) == "<exact odds of ability, old, output 3>"


def test_an_output_has_the_odds_of_the_rule():
    assert dicec.anydice("output [highest 3 of 4d6]")[0].outcomes() == dicec.odds("4d6kh3").outcomes()


def test_variables_are_given():
    assert dicec.anydice(PROGRAM, set={"N": 3})["ability"].mean == 10.5
    with pytest.raises(dicec.DiceError) as caught:
        dicec.anydice(PROGRAM, set={"M": 3})
    assert (caught.value.code, caught.value.help) == ("D0805", "did you mean N?")
    with pytest.raises(TypeError):
        dicec.anydice(PROGRAM, set={"N": "3"})


def test_variables_are_swept():
    swept = dicec.anydice_sweep(PROGRAM, {"N": range(3, 6)})
    assert [values for values, _ in swept] == [{"N": 3}, {"N": 4}, {"N": 5}]
    for values, outputs in swept:
        alone = dicec.anydice(PROGRAM, set=values)
        assert outputs["ability"].outcomes() == alone["ability"].outcomes()
    pairs = dicec.anydice_sweep("N: 1 M: 1 K: 0 output NdM + K", {"N": [1, 2], "M": [4, 6]}, set={"K": 1})
    assert [(values["N"], values["M"]) for values, _ in pairs] == [(1, 4), (1, 6), (2, 4), (2, 6)]
    assert [outputs[0].mean for _, outputs in pairs] == [3.5, 4.5, 6.0, 8.0]
    with pytest.raises(ValueError, match="N is swept, and has a value, too"):
        dicec.anydice_sweep(PROGRAM, {"N": [1]}, set={"N": 2})
    with pytest.raises(dicec.DiceError) as caught:
        dicec.anydice_sweep(PROGRAM, {"M": [1]})
    assert caught.value.code == "D0805"
    with pytest.raises(TypeError):
        dicec.anydice_sweep(PROGRAM, {"N": 3})
    assert dicec.anydice_sweep(PROGRAM, {"N": []}) == []


def test_a_file_has_the_odds_of_the_command(tmp_path, command_json):
    path = tmp_path / "scores.anydice"
    path.write_text(PROGRAM)
    expected = command_json("odds", str(path))
    assert dicec.anydice(path).to_dict() == expected
    assert dicec.anydice(str(path)).to_dict() == expected


def test_a_notebook_shows_all_outputs():
    outputs = dicec.anydice(PROGRAM)
    html = outputs._repr_html_()
    assert "ability" in html and "old" in html and "no outcomes" in html
    assert outputs.svg().startswith("<svg")


def test_keys_that_are_not_there():
    outputs = dicec.anydice(PROGRAM)
    with pytest.raises(KeyError, match="did you mean"):
        outputs["abilty"]
    with pytest.raises(IndexError):
        outputs[3]
    with pytest.raises(IndexError):
        outputs[-4]
    with pytest.raises(TypeError):
        outputs[1.5]
    with pytest.raises(KeyError, match="by position"):
        dicec.anydice('output 1 named "x" output 2 named "x"')["x"]


def test_mistakes_have_places():
    with pytest.raises(dicec.DiceError) as caught:
        dicec.anydice("output 3 + BONUS")
    assert (caught.value.code, caught.value.span) == ("D0805", (11, 16))
    with pytest.raises(dicec.DiceError) as caught:
        dicec.anydice("output 4d6 drop lowest")
    assert caught.value.code.startswith("D08")
    with pytest.raises(dicec.DiceError) as caught:
        dicec.anydice("output 30d{1..9, 17, 1000}", limits={"work": 10})
    assert caught.value.code == "D0405"
    assert caught.value.help == 'raise the budget: limits={"work": ..., "outcomes": ...}'
    with pytest.warns(dicec.DiceWarning, match="D0812"):
        dicec.anydice("function: f N:n { if N > 3 { result: 1 } } output [f d6]")


@pytest.mark.parametrize("question", [dicec.odds, dicec.sim, dicec.roll])
def test_a_rule_that_is_a_program_is_named(question):
    with pytest.raises(dicec.DiceError) as caught:
        question("output [highest 3 of 4d6]")
    error = caught.value
    assert (error.code, error.help, len(error.findings)) == ("D0028", "dicec.anydice(text)", 1)
    with pytest.raises(ValueError, match="dicec.anydice"):
        question("2d6", dialect="anydice")
