"""What rolls have in Python over the native type."""

from __future__ import annotations

from html import escape
from typing import Any, NamedTuple, Union

from ._dicec import Roll


class Die(NamedTuple):
    """A die of a roll."""

    #: The number of its sides; None of a die with faces of its own.
    sides: Any
    #: The face that came up.
    face: Any
    #: What it counts.
    value: Any
    #: Whether it counts at all.
    kept: bool
    #: What became of it: "kept", "dropped", "exploded", "critical", "fumble" and others.
    flags: tuple[str, ...]


def _total(self: Roll) -> Union[int, float]:
    """The number that it comes to; a TypeError of what is no number."""
    found = self.to_dict().get("total", self.result)
    if isinstance(found, (int, float)) and not isinstance(found, bool):
        return found
    raise TypeError(f"this roll has no total: its result is {self.result!r}")


def _dice(self: Roll) -> list[Die]:
    """The dice in the order in which they are rolled, those that are dropped among them."""
    return [_die(die) for die in self.to_dict().get("dice", [])]


def _die(die: dict[str, Any]) -> Die:
    sides, face, value = die.get("sides"), die.get("face"), die.get("value")
    return Die(sides, face, value, die.get("kept", True), tuple(die.get("flags", ())))


def _crit(self: Roll) -> bool:
    """Whether a die that is kept shows its critical face: the highest one unless the rule says."""
    return any(die.kept and "critical" in die.flags for die in self.dice)


def _fumble(self: Roll) -> bool:
    """Whether a die that is kept shows its fumble: 1 unless the rule says."""
    return any(die.kept and "fumble" in die.flags for die in self.dice)


def _int(self: Roll) -> int:
    return int(self.total)


def _float(self: Roll) -> float:
    return float(self.total)


def _repr_html_(self: Roll) -> str:
    lines = [escape(line) for line in self.text.splitlines()]
    return f"<div><code>{'<br>'.join(lines)}</code></div>"


def methods() -> dict[str, Any]:
    """The members that ``Roll`` gets from here."""
    return {
        "total": property(_total),
        "dice": property(_dice),
        "crit": property(_crit),
        "fumble": property(_fumble),
        "__int__": _int,
        "__float__": _float,
        "_repr_html_": _repr_html_,
    }
