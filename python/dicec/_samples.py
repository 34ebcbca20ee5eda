"""Results of many trials as arrays of NumPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy

from . import _dicec

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

_Array = numpy.ndarray[Any, Any]

# What arrays may hold, by the kind of result; the first is what they hold unless told otherwise.
_TYPES = {
    "int": "int64 int32 int16 int8 uint32 uint16 uint8 float64".split(),
    "float": ["float64"],
    "bool": ["bool"],
}


def sample(
    rule: str,
    size: Optional[int] = None,
    resources: Optional[Mapping[str, Union[int, float, str]]] = None,
    /,
    *,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    progress: Optional[Callable[[int, Optional[int]], object]] = None,
    dtype: Optional[DTypeLike] = None,
    out: Optional[_Array] = None,
    dialect: Optional[str] = None,
    limits: Optional[Mapping[str, int]] = None,
    **named: Union[int, float, str],
) -> _Array:
    """Sample a rule in native code.

    Gives an array of ``size`` results, in the order of the trials: of int64, of float64 if the rule
    has decimals, of bool for a check, and of names for a degree or a label. The same ``seed`` gives
    the same array, with any number of ``threads``. A callback cannot end it early, unlike that of
    ``sim``.

    ``dtype`` is another type for whole numbers, such as ``"uint8"``, which takes an eighth of the
    memory and some two thirds of the time. A result that it does not have is an
    ``OverflowError``.

    ``out`` is an array to fill instead of a new one; names cannot go there. The system does not
    have to clear its memory again, so this is faster for samples that are taken one after another.
    """
    ready = _dicec.sampler(
        rule,
        resources,
        seed=seed,
        threads=threads,
        dialect=dialect,
        limits=None if limits is None else dict(limits),
        **named,
    )
    if ready.kind == "name":
        if dtype is not None or out is not None:
            raise TypeError("names have no dtype= and cannot go to out=: leave it out")
        # An index of a name.
        array = numpy.empty(_length(size), dtype=numpy.int64)
        _dicec.fill(ready, array, progress)
        return numpy.array(ready.names)[array]
    if out is not None:
        _check_out(out, size, dtype)
        _check_type("out= is an array of", out.dtype, ready.kind)
        array = out
    else:
        wanted = numpy.dtype(_TYPES[ready.kind][0] if dtype is None else dtype)
        _check_type("dtype= is", wanted, ready.kind)
        array = numpy.empty(_length(size), dtype=wanted)
    _dicec.fill(ready, array, progress)
    return array


def _length(size: Optional[int]) -> int:
    """The size of a new array."""
    if size is None:
        raise TypeError("sample needs a size, the number of results, or an array as out=")
    return size


def _check_type(what: str, found: numpy.dtype[Any], kind: str) -> None:
    """Refuse a type that results of a kind cannot have."""
    types = _TYPES[kind]
    if found not in [numpy.dtype(name) for name in types]:
        raise TypeError(f"{what} {found}, but the results of this rule can be {', '.join(types)}")


def _check_out(out: _Array, size: Optional[int], dtype: Optional[DTypeLike]) -> None:
    """Refuse an array that cannot be filled."""
    if not isinstance(out, numpy.ndarray):
        raise TypeError(f"out= has to be an array of NumPy, and this is {type(out).__name__}")
    if out.ndim != 1 or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("out= has to be one contiguous row that can be written to")
    if size is not None and size != out.size:
        raise ValueError(f"size is {size}, but out= has {out.size} elements")
    if dtype is not None and numpy.dtype(dtype) != out.dtype:
        raise ValueError(f"dtype is {numpy.dtype(dtype)}, but out= is an array of {out.dtype}")
