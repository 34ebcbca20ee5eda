"""Arithmetic of odds: each operand is a roll of its own, so ``o + o`` is two rolls.

Exact odds in fractions give fractions. Others give floats: of dice that explode without end, whose
least likely results are left out. The results of a simulation can only be mapped, because the error
of what two of them come to would not be known.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Mapping
from typing import Any, Callable, Optional, Union

from . import _dicec
from ._dicec import Odds

#: A number that stands beside odds.
Number = Union[int, float]

#: What a result is.
Value = Union[int, float, bool, str]

_Ends = tuple[bool, bool]

#: The parts that may have the weights of results; one of them has.
_WEIGHTS = ("fractions", "floats", "counts")

#: The first and the last whole number that a result can be.
_LEAST, _GREATEST = -(2**63), 2**63 - 1


def values(parts: Mapping[str, Any]) -> list[Value]:
    """The results of odds as Python has them: numbers, truth values or names."""
    kind = parts["kind"]
    if kind == "check":
        return [bool(value) for value in parts["values"]]
    if kind in ("label", "level", "degree"):
        return [parts["names"][value] for value in parts["values"]]
    return list(parts["values"])


def plain(value: object) -> Optional[Number]:
    """A number that may stand beside odds, without the type that NumPy gives it; else None."""
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    return value if isinstance(value, (int, float)) else None


def _of_python(value: Any) -> Any:
    """A value without the type that NumPy gives it."""
    return value.item() if hasattr(value, "item") else value


def constant(number: Number) -> Odds:
    """The odds of a number that is certain."""
    return of_values(str(number), [number], {"fractions": [1]})


def operand(value: object) -> Optional[Odds]:
    """Odds, or a number as odds; None of anything else."""
    if isinstance(value, Odds):
        return value
    number = plain(value)
    return None if number is None else constant(number)


def of_values(
    expression: str,
    results: Iterable[object],
    weights: Mapping[str, list[Any]],
    like: Mapping[str, Any] = {},
    ends: _Ends = (False, False),
) -> Odds:
    """Odds of these results, whose types say the kind, and of weights that are fractions, floats or
    counts. ``like`` has what they keep of others.
    """
    found: list[Any] = [_of_python(value) for value in results]
    names: list[str] = []
    numbers = found
    if all(isinstance(value, bool) for value in found):
        kind, numbers = "check", [int(value) for value in found]
    elif all(isinstance(value, str) for value in found):
        kind, names = "label", list(dict.fromkeys(found))
        numbers = [names.index(value) for value in found]
    elif all(isinstance(value, int) for value in found):
        kind, numbers = "whole", [int(value) for value in found]
        if any(not _LEAST <= value <= _GREATEST for value in numbers):
            raise OverflowError("a result is out of the range of 64-bit integers")
    elif all(isinstance(value, (int, float)) for value in found):
        kind = "float"
        if not all(math.isfinite(value) for value in found):
            raise ValueError("a result is not a finite number")
    else:
        types = ", ".join(sorted({type(value).__name__ for value in found}))
        raise TypeError(f"results are all numbers, all truth values or all names, not {types}")
    named = kind in ("check", "label")
    return _dicec.of_parts(
        {
            "expression": expression,
            "kind": kind,
            "success": 0,
            "names": names,
            "values": numbers,
            "fractions": weights.get("fractions"),
            "floats": weights.get("floats"),
            "counts": weights.get("counts"),
            "error": like.get("error", 0.0),
            "left_out": like.get("left_out", 0.0),
            "unbounded": (False, False) if named else ends,
            "clamped": like.get("clamped"),
            "run": like.get("run"),
        }
    )


def _floats(parts: Mapping[str, Any]) -> list[float]:
    """The probabilities of exact odds."""
    if parts["floats"] is not None:
        return list(parts["floats"])
    total = sum(parts["fractions"])
    return [weight / total for weight in parts["fractions"]]


def either(*shares: Optional[float]) -> Optional[float]:
    """The probability of at least one of independent events; None if there are none."""
    none = math.prod(1.0 - (share or 0.0) for share in shares)
    return 1.0 - none if none < 1.0 else None


def mapped(odds: Odds, f: Callable[[Any], object], text: str, ends: Optional[_Ends] = None) -> Odds:
    """The odds of ``f`` of the result. Without ``ends``, nothing is known of the ends of numbers
    that had none.
    """
    parts = _dicec.parts(odds)
    if ends is None:
        ends = (any(parts["unbounded"]),) * 2
    kind, weights = next((kind, parts[kind]) for kind in _WEIGHTS if parts[kind] is not None)
    # What cannot occur is not asked about.
    pairs = [(f(value), weight) for value, weight in zip(values(parts), weights) if weight]
    weighed = {kind: [weight for _, weight in pairs]}
    return of_values(text, [result for result, _ in pairs], weighed, parts, ends)


def exact_parts(odds: Odds) -> dict[str, Any]:
    """The parts of odds that go together with others."""
    if not odds.exact:
        raise ValueError(
            "sampled odds cannot be combined with other odds, because the error of the result would "
            "not be known: give exact odds, or simulate one rule"
        )
    return _dicec.parts(odds)


def combined(
    one: Odds,
    other: Odds,
    f: Callable[[Any, Any], object],
    text: str,
    ends: Optional[_Ends] = None,
) -> Odds:
    """The odds of ``f`` of two independent rolls."""
    first, second = exact_parts(one), exact_parts(other)
    kind, weights, times_of = "fractions", first["fractions"], second["fractions"]
    if weights is None or times_of is None:
        kind, weights, times_of = "floats", _floats(first), _floats(second)
    added: dict[Any, Any] = {}
    others = [pair for pair in zip(values(second), times_of) if pair[1]]
    for value, weight in zip(values(first), weights):
        for beside, times in others if weight else []:
            result = f(value, beside)
            added[result] = added.get(result, 0) + weight * times
    if ends is None:
        ends = (any(first["unbounded"] + second["unbounded"]),) * 2
    # One rounding for each product, and at most one for each addition to a result.
    roundings = len(others) * len(first["values"]) + 2
    kept = {
        "error": first["error"] + second["error"] + roundings * 2.0**-53,
        "left_out": first["left_out"] + second["left_out"],
        "clamped": either(first["clamped"], second["clamped"]),
    }
    return of_values(text, added, {kind: list(added.values())}, kept, ends)


def wrapped(odds: Odds) -> str:
    """The text of odds as an operand."""
    text = odds.expression
    return text if re.fullmatch(r"[\w.!{},]+|\(\w+\)", text) else f"({text})"


def numbers(odds: Odds) -> None:
    """Refuse names, which no arithmetic is of."""
    if odds.kind in ("label", "level", "degree"):
        raise TypeError(f"a {odds.kind} is no number: make it one with map()")


def is_certain(odds: Odds) -> bool:
    """Whether odds are those of a constant."""
    is_whole = odds.exact and odds.left_out == 0 and odds.clamped is None
    return is_whole and odds.min is not None and odds.min == odds.max


def binary(one: Odds, other: Odds, f: Callable[[Any, Any], object], sign: str) -> Odds:
    """An operator between two independent rolls, or a roll and a number."""
    numbers(one)
    numbers(other)
    text = f"{wrapped(one)} {sign} {wrapped(other)}"
    # The smallest and the greatest results of what has none on one side only.
    ends = _ends_of(sign, _unbounded(one), _unbounded(other))
    for constant_one, odds, at in ((other, one, 1), (one, other, 0)):
        if constant_one.kind == "number" and is_certain(constant_one):
            (value, _), = constant_one.outcomes()
            beside = (lambda x: f(x, value)) if at else (lambda x: f(value, x))
            return mapped(odds, beside, text, ends)
    return combined(one, other, f, text, ends)


def _unbounded(odds: Odds) -> _Ends:
    if odds.kind == "check":
        return (False, False)
    return (odds.min is None, odds.max is None)


def _ends_of(sign: str, one: _Ends, other: _Ends) -> Optional[_Ends]:
    """The ends at which a result is unbounded; None if that is not known from those alone."""
    if sign == "+":
        return (one[0] or other[0], one[1] or other[1])
    if sign == "-":
        return (one[0] or other[1], one[1] or other[0])
    return None


def add(one: Odds, other: Odds) -> Odds:
    """The sum of two independent rolls."""
    whole = all(odds.kind in ("number", "check", "test") for odds in (one, other))
    if whole and one.exact and other.exact and not (is_float(one) or is_float(other)):
        return _dicec.summed(one, other, f"{wrapped(one)} + {wrapped(other)}")
    return binary(one, other, operator.add, "+")


def is_float(odds: Odds) -> bool:
    """Whether results have decimals."""
    return bool(odds.kind == "number" and isinstance(odds.quantile(0), float))


def negated(odds: Odds) -> Odds:
    """The odds of the number with the other sign."""
    numbers(odds)
    below, above = _unbounded(odds)
    return mapped(odds, operator.neg, f"-{wrapped(odds)}", (above, below))


def repeated(times: int, odds: Odds) -> Odds:
    """The sum of several independent rolls."""
    numbers(odds)
    if times < 0:
        raise ValueError(f"there are 0 or more rolls, not {times}")
    text = f"{times} @ {wrapped(odds)}"
    total, power = constant(0), odds
    left = times
    while left:
        if left % 2:
            total = add(total, power)
        left //= 2
        if left:
            power = add(power, power)
    return mapped(total, lambda value: value, text, _unbounded(total))


def rolled_often(count: Odds, odds: Odds) -> Odds:
    """The sum of as many independent rolls as another roll says."""
    numbers(count)
    numbers(odds)
    parts = exact_parts(count)
    if any(value < 0 for value in parts["values"]) or is_float(count):
        raise ValueError("there are 0 or more rolls: the left operand of @ is a whole number")
    if any(parts["unbounded"]) or parts["fractions"] is None:
        raise ValueError("the left operand of @ is exact, in fractions, and has a greatest number")
    sums, total = {}, constant(0)
    for rolls in range(max(parts["values"]) + 1):
        sums[rolls] = _dicec.parts(total)
        total = add(total, odds)
    if any(found["fractions"] is None for found in sums.values()):
        raise ValueError("the right operand of @ is exact in fractions if the left one is no number")
    scale = math.lcm(*(sum(found["fractions"]) for found in sums.values()))
    added: dict[Any, int] = {}
    for rolls, weight in zip(parts["values"], parts["fractions"]):
        found = sums[rolls]
        share = weight * (scale // sum(found["fractions"]))
        for value, often in zip(found["values"], found["fractions"]):
            added[value] = added.get(value, 0) + share * often
    text = f"{wrapped(count)} @ {wrapped(odds)}"
    most = sums[max(parts["values"])]
    clamped = either(parts["clamped"], most["clamped"])
    return of_values(text, added, {"fractions": list(added.values())}, {"clamped": clamped})


def extreme(name: str, rolls: tuple[Union[Odds, Number], ...]) -> Odds:
    """The highest or the lowest of independent rolls."""
    if not rolls:
        raise TypeError(f"{name} needs at least one roll")
    f, end = (max, any) if name == "highest" else (min, all)
    found = None
    for roll in rolls:
        odds = operand(roll)
        if odds is None:
            raise TypeError(f"{name} is of odds and numbers, not of {type(roll).__name__}")
        numbers(odds)
        if found is None:
            found = odds
            continue
        one, other = _unbounded(found), _unbounded(odds)
        low = (all if name == "highest" else any)((one[0], other[0]))
        high = end((one[1], other[1]))
        found = combined(found, odds, f, "", (low, high))
    assert found is not None
    texts = [odds.expression if isinstance(odds, Odds) else str(odds) for odds in rolls]
    return mapped(found, lambda value: value, f"{name}({', '.join(texts)})", _unbounded(found))
