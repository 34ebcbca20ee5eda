"""Results of many trials as arrays of NumPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Optional, Union

import numpy

from . import _dicec


def sample(
    rule: str,
    size: int,
    resources: Optional[Mapping[str, Union[int, float, str]]] = None,
    /,
    *,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    progress: Optional[Callable[[int, Optional[int]], object]] = None,
    dialect: Optional[str] = None,
    limits: Optional[Mapping[str, int]] = None,
    **named: Union[int, float, str],
) -> numpy.ndarray[Any, Any]:
    """Sample a rule in native code.

    Gives an array of ``size`` results, in the order of the trials: of int64, of float64 if the rule
    has decimals, of bool for a check, and of names for a degree or a label. The same ``seed`` gives
    the same array, with any number of ``threads``. A callback cannot end it early, unlike that of
    ``sim``.
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
    array = numpy.empty(size, dtype=numpy.int64)
    _dicec.fill(ready, array, progress)
    if ready.kind == "float":
        return array.view(numpy.float64)
    if ready.kind == "bool":
        return array.astype(numpy.bool_)
    if ready.kind == "name":
        return numpy.array(ready.names)[array]
    return array
