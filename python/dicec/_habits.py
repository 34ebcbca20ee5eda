"""Gives the native types the members that are written in Python.

A native type of the stable interface of Python cannot inherit from a class of Python, and odds come
from many native functions; so the members are set on the types, once, when the package is imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _figures, _operators, _rolls
from ._dicec import Odds, Roll


def _set(of: type, members: dict[str, Any]) -> None:
    for name, member in members.items():
        function = member.fget if isinstance(member, property) else member
        if function is not None:
            function.__name__, function.__qualname__ = name, f"{of.__name__}.{name}"
        setattr(of, name, member)


_set(Odds, {**_operators.methods(), **_figures.methods()})
_set(Roll, _rolls.methods())
Mapping.register(Odds)
