"""The attacks and the armour of the creatures of the SRD, as frames of Polars."""

from __future__ import annotations

from typing import Any

import dicec
import polars

#: What is asked of each pair of an attack and a target. A natural 20 hits and doubles the dice, a
#: natural 1 misses; a rule that only compares a total would not know.
RULES = {"damage": "dnd.attack([Attack], [Target AC], [Damage])"}


def dice(part: dict[str, Any]) -> str:
    """The dice of a part of some damage; of several that one chooses from, the first."""
    return str(part["dice"] if "dice" in part else part["from"][0]["dice"])


def attacks() -> polars.DataFrame:
    """An attack a row: whose it is, its bonus, and its damage as dice."""
    rows = [
        {
            "Creature": creature["name"],
            "CR": creature["cr"],
            "Action": action["name"],
            "Attack": action["bonus"],
            "Damage": " + ".join(dice(part) for part in action["damage"]),
        }
        for creature in dicec.creatures()
        for action in creature.get("actions", [])
        if "bonus" in action and action.get("damage")
    ]
    return polars.DataFrame(rows)


def targets() -> polars.DataFrame:
    """A target a row."""
    rows = [{"Target": one["name"], "Target AC": one["ac"]} for one in dicec.creatures()]
    return polars.DataFrame(rows)


def pairs() -> polars.DataFrame:
    """Each attack with each target."""
    return attacks().join(targets(), how="cross")
