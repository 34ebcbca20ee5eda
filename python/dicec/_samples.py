"""Results of many trials as arrays of NumPy."""

from __future__ import annotations

import operator
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
    /,
    size: Union[int, tuple[int, ...], None] = None,
    resources: Optional[Mapping[str, Union[int, float, str]]] = None,
    *,
    rng: Union[numpy.random.Generator, int, None] = None,
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

    Gives an array of ``size`` results, a number or a shape such as ``(2, 3)``, in the order of the
    trials: of int64, of float64 if the rule has decimals, of bool for a check, and of names for a
    degree or a label. The same ``seed`` gives the same array, with any number of ``threads``;
    ``rng=numpy.random.default_rng(1)`` draws the seed from a generator of NumPy. A callback cannot
    end it early, unlike that of ``sim``.

    ``dtype`` is another type for whole numbers, such as ``"uint8"``, which takes an eighth of the
    memory and some two thirds of the time. A result that it does not have is an
    ``OverflowError``.

    ``out`` is an array to fill instead of a new one; names cannot go there. The system does not
    have to clear its memory again, so this is faster for samples that are taken one after another.
    """
    if not isinstance(rule, str):
        raise TypeError(f"a rule is a text such as '2d6 + 3', not {type(rule).__name__}")
    ready = _dicec.sampler(
        rule,
        resources,
        seed=_seed(seed, rng),
        threads=None if threads is None else _whole("the number of threads", threads, 1),
        dialect=dialect,
        limits=None if limits is None else dict(limits),
        **named,
    )
    if ready.kind == "name":
        if dtype is not None or out is not None:
            raise TypeError("names have no dtype= and cannot go to out=: leave it out")
        # An index of a name.
        array = _empty(size, numpy.int64)
        _dicec.fill(ready, array.reshape(-1), progress)
        return numpy.array(ready.names)[array]
    if out is not None:
        _check_out(out, size, dtype)
        _check_type("out= is an array of", out.dtype, ready.kind)
        array = out
    else:
        wanted = numpy.dtype(_TYPES[ready.kind][0] if dtype is None else dtype)
        _check_type("dtype= is", wanted, ready.kind)
        array = _empty(size, wanted)
    # A view: what is filled is the array itself.
    _dicec.fill(ready, array.reshape(-1), progress)
    return array


def _empty(size: Union[int, tuple[int, ...], None], of: DTypeLike) -> _Array:
    """A new array of this size or shape; NumPy says what is wrong with one."""
    if size is None:
        raise TypeError("sample needs a size, the number of results, or an array as out=")
    return numpy.empty(size, dtype=of)


def _whole(name: str, value: object, least: int) -> int:
    """A whole number of 64 bits that is not less."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {type(value).__name__}") from None
    if not least <= number < 2**64:
        raise ValueError(f"{name} is a whole number from {least} to 2**64 - 1, not {number}")
    return number


def _seed(seed: Optional[int], rng: Union[numpy.random.Generator, int, None]) -> Optional[int]:
    """The seed that is given, or drawn from a generator."""
    if seed is not None and rng is not None:
        raise TypeError("give a seed or a generator, but not both")
    if isinstance(rng, numpy.random.Generator):
        return int(rng.integers(2**63))
    if rng is not None and not hasattr(rng, "__index__"):
        raise TypeError(f"rng= is a generator of NumPy or a seed, not {type(rng).__name__}")
    given = rng if seed is None else seed
    return None if given is None else _whole("a seed", given, 0)


def _check_type(what: str, found: numpy.dtype[Any], kind: str) -> None:
    """Refuse a type that results of a kind cannot have."""
    types = _TYPES[kind]
    if found not in [numpy.dtype(name) for name in types]:
        raise TypeError(f"{what} {found}, but the results of this rule can be {', '.join(types)}")


def _check_out(
    out: _Array, size: Union[int, tuple[int, ...], None], dtype: Optional[DTypeLike]
) -> None:
    """Refuse an array that cannot be filled."""
    if not isinstance(out, numpy.ndarray):
        raise TypeError(f"out= has to be an array of NumPy, and this is {type(out).__name__}")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("out= has to be a contiguous array that can be written to")
    shape = tuple(numpy.atleast_1d(out.shape if size is None else size).tolist())
    if shape != out.shape:
        raise ValueError(f"size is {size}, but out= is of shape {out.shape}")
    if dtype is not None and numpy.dtype(dtype) != out.dtype:
        raise ValueError(f"dtype is {numpy.dtype(dtype)}, but out= is an array of {out.dtype}")
