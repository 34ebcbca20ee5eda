"""Values that answers are made of."""

from __future__ import annotations

from typing import Any, NamedTuple


class Comparison(NamedTuple):
    """How an independent roll of one rule compares with one of another."""

    #: The probability that the first is greater.
    greater: float
    #: The probability that they are equal.
    equal: float
    #: The probability that the first is less.
    less: float


def plain(value: Any) -> Any:
    """A value that JSON does not know as one that it knows: a number of NumPy, or a mapping."""
    if hasattr(value, "item"):
        return value.item()
    if hasattr(value, "items"):
        return dict(value.items())
    raise TypeError(f"{type(value).__name__} has no place in JSON: {value!r}")
