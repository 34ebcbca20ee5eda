"""Tables that are not those of a library of tables: dictionaries, lists, paths, and lazy frames."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Callable

_Back = Callable[[Any], Any]


def as_table(given: Any) -> tuple[Any, _Back]:
    """A table of a library, and how its result becomes what was given."""
    if isinstance(given, Mapping):
        return _pyarrow().table(dict(given)), lambda done: done.to_pydict()
    if isinstance(given, (list, tuple)):
        if not all(isinstance(row, Mapping) for row in given):
            raise TypeError("the rows of a list are dictionaries: [{'Attack': 5, 'AC': 15}]")
        return _pyarrow().Table.from_pylist(list(given)), lambda done: done.to_pylist()
    if isinstance(given, (str, os.PathLike)):
        return _read(Path(given)), lambda done: done
    kind = type(given)
    if (kind.__module__.partition(".")[0], kind.__name__) == ("polars", "LazyFrame"):
        return given.collect(), lambda done: done.lazy()
    return given, lambda done: done


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        message = "dictionaries, lists and paths as tables need pyarrow: pip install pyarrow"
        raise ImportError(message) from error
    return pyarrow


def _read(path: Path) -> Any:
    """The table of a file, whose kind the name tells."""
    _pyarrow()
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".parquet"):
        raise ValueError(f"the name of a table ends in .csv or .parquet, not in {suffix!r}")
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}")
    if suffix == ".csv":
        from pyarrow import csv

        return csv.read_csv(path)
    from pyarrow import parquet

    return parquet.read_table(path)
