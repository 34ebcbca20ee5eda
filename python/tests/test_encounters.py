"""Encounters: the fights of the command, from lines, documents and files."""

import json

import dicec
import pytest

LINE = "4 Veteran vs 1 Troll, 6 Goblin"


def test_fights_are_those_of_the_command(command_json):
    fought = dicec.encounter(LINE, trials=20_000, seed=1)
    expected = command_json("encounter", LINE, "-n", "20000", "--seed", "1")
    found = fought.to_dict()
    del expected["trials_per_second"], found["trials_per_second"]
    assert found == expected
    assert fought.sides == ("4 Veteran", "1 Troll, 6 Goblin")
    assert fought.win + fought.lose + fought.draw == pytest.approx(1)
    low, high = fought.interval
    assert low <= fought.win <= high
    assert fought.rounds.mean == expected["rounds"]["mean"]
    html = fought._repr_html_()
    assert html.count("Veteran") >= 2 and "Longsword" in html
    assert fought.svg().startswith("<svg")


def test_exact_odds_of_a_small_fight(command_json):
    fought = dicec.encounter("1 Goblin vs 1 Goblin", exact=True)
    expected = command_json("encounter", "1 Goblin vs 1 Goblin", "--exact")
    assert fought.to_dict() == expected
    assert (fought.trials, fought.seed, fought.interval) == (None, None, None)
    with pytest.raises(TypeError, match="exact odds take no trials"):
        dicec.encounter("1 Goblin vs 1 Goblin", exact=True, trials=5)
    with pytest.raises(dicec.DiceError) as caught:
        dicec.encounter("1 Goblin vs 1 Goblin", exact=True, limits={"work": 1000})
    assert "leave exact=True out" in caught.value.help


def test_documents_and_files(examples):
    path = examples / "watch.json"
    document = json.loads(path.read_text())
    fights = [dicec.encounter(of, trials=1000, seed=1) for of in [path, str(path), document]]
    assert fights[0].win == fights[1].win == fights[2].win
    assert fights[0].trials == 1000


def test_creatures_of_your_own(tmp_path):
    goblin = next(one for one in dicec.creatures() if one["name"] == "Goblin")
    mine = {**goblin, "name": "Sprout", "hp": 1}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps([mine]))
    wins = [
        dicec.encounter("2 Sprout vs 1 Ogre", bestiary=given, trials=2000, seed=1).win
        for given in [mine, [mine], path, str(path)]
    ]
    assert len(set(wins)) == 1
    with pytest.raises(dicec.DiceError) as caught:
        dicec.encounter("2 Sprout vs 1 Ogre", trials=10)
    assert caught.value.code == "D0524"


def test_what_is_wrong_is_shown_in_the_line():
    with pytest.raises(dicec.DiceError) as caught:
        dicec.encounter("4 Veteran vs 6 Gobblin")
    error = caught.value
    first, last = error.span
    assert error.findings[0].text[first:last] == "6 Gobblin"
    assert "Goblin" in error.help
    with pytest.raises(TypeError, match="a line, a path or a mapping"):
        dicec.encounter(4)


def test_what_is_not_modelled_is_a_warning():
    with pytest.warns(dicec.DiceWarning, match="Knight: not modelled: Leadership"):
        dicec.encounter("1 Knight vs 1 Ogre", trials=100, seed=1)


def test_the_creatures_of_the_srd():
    creatures = dicec.creatures()
    assert len(creatures) == 334
    assert all(creature["ac"] > 0 for creature in creatures)
