"""What is wrong, with its code, its span and what to do about it."""

import pickle

import dicec
import pytest

QUESTIONS = [dicec.odds, dicec.sim, dicec.roll, lambda rule: dicec.sample(rule, 3)]


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_error_has_a_code_a_span_and_help(question):
    with pytest.raises(dicec.DiceError) as caught:
        question("2d6 + [Strenght]")
    error = caught.value
    assert (error.code, error.span) == ("D0101", (6, 16))
    assert error.help == 'give it a value: resources={"Strenght": 4}'
    assert error.message == "there is no resource [Strenght]"
    shown = str(error).splitlines()
    assert shown[0] == "error[D0101]: there is no resource [Strenght]"
    assert shown[2:4] == ["1 | 2d6 + [Strenght]", "  |       ^^^^^^^^^^"]


def test_a_typo_is_seen():
    with pytest.raises(dicec.DiceError) as caught:
        dicec.odds("2d6 + [Strenght]", Strength=4)
    assert caught.value.help.startswith("did you mean [Strength]?")


def test_spans_count_characters():
    rule = "2d6 + é"
    with pytest.raises(dicec.DiceError) as caught:
        dicec.odds(rule)
    first, last = caught.value.span
    assert rule[first:last] == "é"


def test_all_findings_are_there():
    with pytest.raises(dicec.DiceError) as caught:
        dicec.odds("[A] + [B]")
    assert [finding.message for finding in caught.value.findings] == [
        "there is no resource [A]",
        "there is no resource [B]",
    ]
    assert str(caught.value).count("error[D0101]") == 2


def test_errors_travel_between_processes():
    with pytest.raises(dicec.DiceError) as caught:
        dicec.odds("2d6 +")
    other = pickle.loads(pickle.dumps(caught.value))
    assert (str(other), other.findings) == (str(caught.value), caught.value.findings)


def test_an_error_is_a_value_error():
    with pytest.raises(ValueError, match="D0006"):
        dicec.odds("2d6 +")


def test_advice_names_what_python_has():
    with pytest.raises(dicec.DiceError) as caught:
        dicec.odds("20000d6")
    assert 'limits={"dice": 20000}' in caught.value.help
    assert dicec.roll("20000d6", limits={"dice": 20000}).result >= 20000
    with pytest.raises(dicec.DiceError) as caught:
        dicec.odds("100d6kh50", limits={"work": 1000})
    assert "dicec.sim" in caught.value.help
    with pytest.raises(ValueError, match='there is no limit "dic"; did you mean "dice"?'):
        dicec.odds("2d6", limits={"dic": 3})
    with pytest.raises(ValueError, match='the dialect is "rulebook" or "notation"'):
        dicec.odds("2d6", dialect="roll20")


@pytest.mark.parametrize("question", [dicec.odds, dicec.sim, dicec.roll])
def test_a_misspelt_keyword_is_no_resource(question):
    with pytest.raises(TypeError, match='"trails" is neither a keyword of this function'):
        question("3d6 + [Strength]", Strength=1, trails=5)
    # A mapping may hold more than the rule reads, as a sheet does.
    assert question("3d6 + [Strength]", {"Strength": 1, "Charm": 3})


def test_dice_of_a_resource_are_checked():
    with pytest.raises(dicec.DiceError) as caught:
        dicec.odds("[Damage] + 1", {"Damage": "2d6 +"})
    assert caught.value.code == "D0006"


def test_notes_are_warnings():
    with pytest.warns(dicec.DiceWarning, match="note"):
        dicec.odds("10d10>=8")
