"""Results of many trials as arrays of NumPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Optional, Union

import numpy

from . import _dicec

_TYPES = {"int": numpy.int64, "float": numpy.float64, "bool": numpy.bool_}


def sample(
    rule: str,
    size: Optional[int] = None,
    resources: Optional[Mapping[str, Union[int, float, str]]] = None,
    /,
    *,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    progress: Optional[Callable[[int, Optional[int]], object]] = None,
    out: Optional[numpy.ndarray[Any, Any]] = None,
    dialect: Optional[str] = None,
    limits: Optional[Mapping[str, int]] = None,
    **named: Union[int, float, str],
) -> numpy.ndarray[Any, Any]:
    """Sample a rule in native code.

    Gives an array of ``size`` results, in the order of the trials: of int64, of float64 if the rule
    has decimals, of bool for a check, and of names for a degree or a label. The same ``seed`` gives
    the same array, with any number of ``threads``. A callback cannot end it early, unlike that of
    ``sim``.

    ``out`` is an array to fill instead of a new one, of the type of the results; names cannot go
    there. The system does not have to clear its memory again, so this is faster for samples that
    are taken one after another.
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
    if out is not None:
        _check_out(out, size, ready.kind)
        if ready.kind == "bool":
            array = numpy.empty(out.size, dtype=numpy.int64)
            _dicec.fill(ready, array, progress)
            numpy.not_equal(array, 0, out=out)
        else:
            _dicec.fill(ready, out.view(numpy.int64), progress)
        return out
    if size is None:
        raise TypeError("sample needs a size, the number of results, or an array as out=")
    array = numpy.empty(size, dtype=numpy.int64)
    _dicec.fill(ready, array, progress)
    if ready.kind == "float":
        return array.view(numpy.float64)
    if ready.kind == "bool":
        return array.astype(numpy.bool_)
    if ready.kind == "name":
        return numpy.array(ready.names)[array]
    return array


def _check_out(out: numpy.ndarray[Any, Any], size: Optional[int], kind: str) -> None:
    """Refuse an array that cannot hold the results."""
    if kind not in _TYPES:
        raise TypeError("names cannot go to out=, whose elements have one size: leave it out")
    wanted = numpy.dtype(_TYPES[kind])
    if not isinstance(out, numpy.ndarray) or out.dtype != wanted:
        found = getattr(out, "dtype", type(out).__name__)
        raise TypeError(f"out= has to be an array of {wanted}, and this is {found}")
    if out.ndim != 1 or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("out= has to be one contiguous row that can be written to")
    if size is not None and size != out.size:
        raise ValueError(f"size is {size}, but out= has {out.size} elements")
