"""Questions about several rules at once, and dice as objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Optional, Union, overload

from . import _arithmetic, _dicec
from ._arithmetic import Number, Value
from ._dicec import Odds
from ._values import Comparison

Resource = Union[int, float, str]


@overload
def odds(
    rule: str,
    /,
    resources: Optional[Mapping[str, Resource]] = None,
    *,
    dialect: Optional[str] = None,
    limits: Optional[dict[str, int]] = None,
    **named: Resource,
) -> Odds: ...


@overload
def odds(
    rule: Mapping[str, str],
    /,
    resources: Optional[Mapping[str, Resource]] = None,
    *,
    dialect: Optional[str] = None,
    limits: Optional[dict[str, int]] = None,
    **named: Resource,
) -> dict[str, Odds]: ...


@overload
def odds(
    rule: Union[list[str], tuple[str, ...]],
    /,
    resources: Optional[Mapping[str, Resource]] = None,
    *,
    dialect: Optional[str] = None,
    limits: Optional[dict[str, int]] = None,
    **named: Resource,
) -> list[Odds]: ...


def odds(
    rule: Union[str, list[str], tuple[str, ...], Mapping[str, str]],
    /,
    resources: Optional[Mapping[str, Resource]] = None,
    *,
    dialect: Optional[str] = None,
    limits: Optional[dict[str, int]] = None,
    **named: Resource,
) -> Union[Odds, list[Odds], dict[str, Odds]]:
    """Compute the exact odds of a rule, of each of a list of rules, or of a dictionary of rules.

    ``resources`` has a value for each name in brackets, ``{"Attack": 5, "Target AC": 15}``: a
    number, or dice as text. Names that are words of Python may be keywords:
    ``odds("d20 + [Attack]", Attack=5)``. A list of rules gives a list, and a dictionary one with
    the same keys.
    """
    if isinstance(rule, str):
        return _dicec.odds(rule, resources, dialect=dialect, limits=limits, **named)
    # A rule of several does not have to read every resource that the others do.
    given = {**(resources or {}), **named}
    if isinstance(rule, Mapping):
        pairs = rule.items()
        return {key: odds(text, given, dialect=dialect, limits=limits) for key, text in pairs}
    if isinstance(rule, (list, tuple)):
        return [odds(text, given, dialect=dialect, limits=limits) for text in rule]
    raise TypeError(f"a rule is a text such as '2d6 + 3', not {type(rule).__name__}")


def sweep(
    rule: str,
    /,
    values: Optional[Mapping[str, Iterable[Resource]]] = None,
    *,
    resources: Optional[Mapping[str, Resource]] = None,
    dialect: Optional[str] = None,
    limits: Optional[dict[str, int]] = None,
    **named: Iterable[Resource],
) -> list[tuple[dict[str, Resource], Odds]]:
    """Compute the exact odds of a rule for each value of a resource, or for each combination of the
    values of several: ``sweep("1d20 + [Attack] >= 15", Attack=range(1, 11))``. The last one varies
    fastest. ``resources`` has those that stay the same.

    Gives a list of pairs: the values, ``{"Attack": 1}``, and the odds.
    """
    swept = {name: list(of) for name, of in {**(values or {}), **named}.items()}
    if not swept:
        raise TypeError("sweep needs values: sweep(rule, Attack=range(1, 11))")
    same = resources or {}
    rows = []
    for combination in product(*swept.values()):
        row = dict(zip(swept, combination))
        found = odds(rule, {**same, **row}, dialect=dialect, limits=limits)
        rows.append((row, found))
    return rows


def d(sides: int) -> Odds:
    """A die with this many sides: ``d(6) + d(6)`` is two of them, and so is ``2 @ d(6)``."""
    number = _arithmetic.plain(sides)
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"the sides of a die are a whole number, not {type(sides).__name__}")
    if number < 1:
        raise ValueError(f"a die has at least 1 side, not {number}")
    return _dicec.odds(f"1d{number}")


def die(faces: Union[Iterable[Value], Mapping[Value, int]]) -> Odds:
    """A die of your own: a face for each element, ``die([1, 2, 2, 3])``, or faces with their
    weights, ``die({"hit": 2, "miss": 1})``.
    """
    if isinstance(faces, Mapping):
        weighed = [(face, _weight(weight)) for face, weight in faces.items()]
    else:
        weighed = [(face, 1) for face in faces]
    if not any(weight for _, weight in weighed):
        raise ValueError("a die has at least one face")
    weights = [weight for _, weight in weighed]
    text = ",".join(str(face) if of == 1 else f"{face}:{of}" for face, of in weighed)
    return _arithmetic.of_values(
        f"d{{{text}}}", [face for face, _ in weighed], {"fractions": weights}
    )


def _weight(weight: object) -> int:
    found = _arithmetic.plain(weight)
    if not isinstance(found, int) or found < 0:
        raise ValueError(f"the weight of a face is a whole number from 0 on, not {weight!r}")
    return found


def highest(*rolls: Union[Odds, Number]) -> Odds:
    """The odds of the highest of independent rolls, and of numbers among them: ``highest(d(8), 3)``.

    The built-in ``max`` cannot do this: it asks which one is greater, once and for all.
    """
    return _arithmetic.extreme("highest", rolls)


def lowest(*rolls: Union[Odds, Number]) -> Odds:
    """The odds of the lowest of independent rolls, and of numbers among them."""
    return _arithmetic.extreme("lowest", rolls)


def compare(
    one: Union[str, Odds],
    other: Union[str, Odds],
    /,
    resources: Optional[Mapping[str, Resource]] = None,
    **named: Resource,
) -> Comparison:
    """How an independent roll of one rule compares with one of another; each is a text or odds. The
    result has the probabilities ``greater``, ``equal`` and ``less``.
    """
    given = {**(resources or {}), **named}
    first, second = (odds(rule, given) if isinstance(rule, str) else rule for rule in (one, other))
    return first.compare(second)
