"""The operators and conversions of ``Odds``, in Python over the native type. An operator that does
not know its other operand gives NotImplemented, so that Python asks that one.
"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Callable, Optional, Union

from . import _arithmetic, _dicec
from ._arithmetic import Value, binary, mapped, operand, plain, wrapped
from ._dicec import Odds

_Compared = Callable[[Any, Any], bool]

#: Probabilities that are floats are equal within this share of them.
_ROUNDING = 1e-12


def _operator(sign: str, f: Callable[[Any, Any], object]) -> tuple[Any, Any]:
    """An operator, and the same with odds on its right alone."""

    def forward(self: Odds, other: object) -> Any:
        right = operand(other)
        if right is None:
            return NotImplemented
        return binary(self, right, f, sign)

    def backward(self: Odds, other: object) -> Any:
        left = operand(other)
        if left is None:
            return NotImplemented
        return binary(left, self, f, sign)

    return forward, backward


def _add(self: Odds, other: object) -> Any:
    right = operand(other)
    if right is None:
        return NotImplemented
    return _arithmetic.add(self, right)


def _radd(self: Odds, other: object) -> Any:
    # The built-in sum begins with 0.
    if plain(other) == 0:
        return self
    left = operand(other)
    if left is None:
        return NotImplemented
    return _arithmetic.add(left, self)


def _sub(self: Odds, other: object) -> Any:
    right = operand(other)
    if right is None:
        return NotImplemented
    text = f"{wrapped(self)} - {wrapped(right)}"
    if _arithmetic.is_certain(right) or _arithmetic.is_certain(self):
        return binary(self, right, operator.sub, "-")
    found = _arithmetic.add(self, _arithmetic.negated(right))
    ends = (found.min is None, found.max is None)
    return mapped(found, lambda value: value, text, ends)


def _rsub(self: Odds, other: object) -> Any:
    left = operand(other)
    if left is None:
        return NotImplemented
    return _sub(left, self)


def _matmul(self: Odds, other: object) -> Any:
    if not isinstance(other, Odds):
        return NotImplemented
    return _arithmetic.rolled_often(self, other)


def _rmatmul(self: Odds, other: object) -> Any:
    times = plain(other)
    if not isinstance(times, int) or isinstance(times, bool):
        return NotImplemented
    return _arithmetic.repeated(times, self)


def _neg(self: Odds) -> Odds:
    return _arithmetic.negated(self)


def _pos(self: Odds) -> Odds:
    return self


def _abs(self: Odds) -> Odds:
    _arithmetic.numbers(self)
    return mapped(self, abs, f"abs({self.expression})")


def _comparison(sign: str, f: _Compared) -> Callable[[Odds, object], Any]:
    def compared(self: Odds, other: object) -> Any:
        right = operand(other)
        if right is None:
            return NotImplemented
        return binary(self, right, f, sign)

    return compared


def _logic(sign: str, f: Callable[[Any, Any], bool]) -> tuple[Any, Any]:
    """An operator between checks."""

    def forward(self: Odds, other: object) -> Any:
        right = operand(other)
        if right is None:
            return NotImplemented
        if (self.kind, right.kind) != ("check", "check"):
            raise TypeError(f"{sign} is between checks, not a {self.kind} and a {right.kind}")
        return binary(self, right, f, sign)

    return forward, lambda self, other: forward(self, other)


def _invert(self: Odds) -> Odds:
    if self.kind != "check":
        raise TypeError(f"~ is of a check, not of a {self.kind}")
    return mapped(self, operator.not_, f"not {wrapped(self)}")


def _bool(self: Odds) -> bool:
    if self.kind == "check":
        raise TypeError(
            "a check is true with a probability, so it is neither true nor false: compare float(...) "
            "with a number; the higher of two rolls is dicec.highest(a, b)"
        )
    return True


def _float(self: Odds) -> float:
    if self.kind in ("check", "degree", "level", "test"):
        return self.p()
    raise TypeError(f"a {self.kind} is no single number: take mean, or a probability with p()")


def _as_compared(odds: Odds) -> tuple[Any, ...]:
    """Kind, results and weights, without results that cannot occur."""
    try:
        parts = _dicec.parts(odds)
    except ValueError:
        return (odds.kind, (odds.min, odds.max, odds.mean, odds.trials, odds.seed), None)
    found = _arithmetic.values(parts)
    weights = parts["fractions"] or parts["floats"] or parts["counts"]
    pairs = [pair for pair in zip(found, weights) if pair[1]]
    total = 1 if parts["floats"] is not None else sum(weights)
    values = tuple(value for value, _ in pairs)
    return (odds.kind, values, parts["fractions"] is not None, [w for _, w in pairs], total)


def _eq(self: Odds, other: object) -> Any:
    if plain(other) is not None:
        raise TypeError(
            f"odds are equal to odds, and never to a number: the chance of {other} is p({other})"
        )
    if not isinstance(other, Odds):
        return NotImplemented
    if self is other:
        return True
    one, two = _as_compared(self), _as_compared(other)
    if one[:2] != two[:2] or self.exact != other.exact:
        return False
    if one[2] is None or two[2] is None:
        return one[2] is two[2]
    pairs = zip(one[3], two[3])
    if one[2] and two[2]:
        return all(a * two[4] == b * one[4] for a, b in pairs)
    close = _ROUNDING if self.exact else 0.0
    return all(math.isclose(a / one[4], b / two[4], rel_tol=close) for a, b in pairs)


def _ne(self: Odds, other: object) -> Any:
    equal = _eq(self, other)
    if equal is NotImplemented:
        return NotImplemented
    return not equal


def _hash(self: Odds) -> int:
    return hash(_as_compared(self)[:2])


def _values(self: Odds) -> list[Value]:
    return [value for value, _ in self.outcomes()]


def _iter(self: Odds) -> Iterator[Value]:
    return iter(_values(self))


def _len(self: Odds) -> int:
    return len(self.outcomes())


def _contains(self: Odds, value: object) -> bool:
    return value in _values(self)


def _getitem(self: Odds, value: Value) -> float:
    return dict(self.outcomes())[value]


def _keys(self: Odds) -> list[Value]:
    """The results, from the least on: what iteration gives, and `dict(odds)` has."""
    return _values(self)


def _items(self: Odds) -> list[tuple[Value, float]]:
    """Each result with its probability: the same as outcomes()."""
    return self.outcomes()


def _all_values(self: Odds) -> list[float]:
    """The probability of each result, in the order of keys()."""
    return [p for _, p in self.outcomes()]


def _get(self: Odds, value: Value, default: Optional[float] = None) -> Optional[float]:
    """The probability of a result, or a default for what is none."""
    return dict(self.outcomes()).get(value, default)


def _fractions(self: Odds) -> Optional[dict[Value, Fraction]]:
    """Each result with its probability as a fractions.Fraction; None if they are not fractions."""
    parts = _dicec.parts(self)
    if parts["fractions"] is None:
        return None
    total = sum(parts["fractions"])
    pairs = zip(_arithmetic.values(parts), parts["fractions"])
    return {value: Fraction(weight, total) for value, weight in pairs}


def _format(self: Odds, spec: str) -> str:
    if not spec:
        return str(self)
    if spec == "md":
        rows = [f"| {value} | {p:.4%} |" for value, p in self.outcomes()]
        return "\n".join([f"| {self.expression} | probability |", "|---:|---:|", *rows])
    return format(self.mean if self.kind == "number" else _float(self), spec)


def _to_json(self: Odds, **keywords: Any) -> str:
    """The text of to_dict() as JSON; keywords are those of `json.dumps`."""
    return json.dumps(self.to_dict(), **keywords)


def rebuilt(parts: dict[str, Any]) -> Odds:
    """The odds that a pickle has the parts of."""
    return _dicec.of_parts(parts)


def _reduce(self: Odds) -> tuple[Any, ...]:
    return rebuilt, (_dicec.parts(self),)


def _copy(self: Odds) -> Odds:
    return self


def _deepcopy(self: Odds, memo: object) -> Odds:
    return self


def _map(self: Odds, f: Union[Callable[[Any], Value], dict[Any, Value]], /) -> Odds:
    """The odds of a function of the result, or of what a dictionary has for it:
    map(lambda total: total // 2). It gives numbers, truth values or names.
    """
    name = getattr(f, "__name__", "map")
    of = f.__getitem__ if isinstance(f, dict) else f
    return mapped(self, of, f"{'map' if name == '<lambda>' else name}({self.expression})")


def methods() -> dict[str, Any]:
    """The members that ``Odds`` gets from here."""
    members: dict[str, Any] = {
        "__add__": _add,
        "__radd__": _radd,
        "__sub__": _sub,
        "__rsub__": _rsub,
        "__matmul__": _matmul,
        "__rmatmul__": _rmatmul,
        "__neg__": _neg,
        "__pos__": _pos,
        "__abs__": _abs,
        "__invert__": _invert,
        "__bool__": _bool,
        "__float__": _float,
        "__eq__": _eq,
        "__ne__": _ne,
        "__hash__": _hash,
        "__iter__": _iter,
        "__len__": _len,
        "__contains__": _contains,
        "__getitem__": _getitem,
        "__format__": _format,
        "__reduce__": _reduce,
        "__copy__": _copy,
        "__deepcopy__": _deepcopy,
        # Numbers of NumPy leave operators to odds.
        "__array_ufunc__": None,
        "keys": _keys,
        "items": _items,
        "values": _all_values,
        "get": _get,
        "fractions": _fractions,
        "to_json": _to_json,
        "map": _map,
    }
    two_sided = {
        "mul": ("*", operator.mul),
        "truediv": ("/", operator.truediv),
        "floordiv": ("//", operator.floordiv),
        "mod": ("%", operator.mod),
        "pow": ("**", operator.pow),
    }
    for name, (sign, f) in two_sided.items():
        members[f"__{name}__"], members[f"__r{name}__"] = _operator(sign, f)
    for name, (sign, f) in {"and": ("&", _both), "or": ("|", _one_of)}.items():
        members[f"__{name}__"], members[f"__r{name}__"] = _logic(sign, f)
    for name, sign in {"ge": ">=", "gt": ">", "le": "<=", "lt": "<"}.items():
        members[f"__{name}__"] = _comparison(sign, getattr(operator, name))
    return members


def _both(one: bool, other: bool) -> bool:
    return one and other


def _one_of(one: bool, other: bool) -> bool:
    return one or other
