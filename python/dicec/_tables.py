"""Rules for each row of a table: the same kind of table comes out that went in.

A table's own columns stay as they are. Only the columns that rules read are looked at, and the
columns of answers are put next to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Optional, TypeVar, Union, overload

from . import _dicec
from ._plain_tables import as_table

Table = TypeVar("Table")


@overload
def batch(
    table: Union[str, PathLike[str]],
    rules: Union[str, Mapping[str, str]],
    /,
    resources: Optional[Mapping[str, Union[int, float, str]]] = None,
    *,
    trials: Optional[int] = None,
    precision: Optional[float] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    quantiles: Optional[Sequence[float]] = None,
    on_error: str = "raise",
    progress: Optional[Callable[[int, Optional[int]], object]] = None,
    dialect: Optional[str] = None,
    limits: Optional[Mapping[str, int]] = None,
) -> Any: ...


@overload
def batch(
    table: Table,
    rules: Union[str, Mapping[str, str]],
    /,
    resources: Optional[Mapping[str, Union[int, float, str]]] = None,
    *,
    trials: Optional[int] = None,
    precision: Optional[float] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    quantiles: Optional[Sequence[float]] = None,
    on_error: str = "raise",
    progress: Optional[Callable[[int, Optional[int]], object]] = None,
    dialect: Optional[str] = None,
    limits: Optional[Mapping[str, int]] = None,
) -> Table: ...


def batch(
    table: Any,
    rules: Union[str, Mapping[str, str]],
    /,
    resources: Optional[Mapping[str, Union[int, float, str]]] = None,
    *,
    trials: Optional[int] = None,
    precision: Optional[float] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    quantiles: Optional[Sequence[float]] = None,
    on_error: str = "raise",
    progress: Optional[Callable[[int, Optional[int]], object]] = None,
    dialect: Optional[str] = None,
    limits: Optional[Mapping[str, int]] = None,
) -> Any:
    """Work out rules for each row of a table.

    The table is one of pyarrow, pandas, Polars or DuckDB, or any object with Arrow's C interface,
    and the result is one of the same kind. So it is with a dictionary of columns and a list of
    dictionaries, with the help of pyarrow; the path of a CSV file or a Parquet file gives a table
    of pyarrow. A LazyFrame of Polars is collected, and the result is lazy again. Its columns give the resources of the rules, numbers or dice as text; ``resources`` gives those
    that no column does. ``rules`` names the columns that are added: a check ``hit`` adds ``hit_p``,
    a number ``damage`` adds ``damage_mean``, ``damage_sd``, and a column for each quantile,
    ``damage_p5``, ``damage_p50`` and ``damage_p95`` or those of ``quantiles``. A single rule as a
    text adds columns whose names begin with ``odds``: ``odds_p``.

    Odds are exact; with ``trials`` or ``precision``, each row is sampled. Equal rows are computed
    once. ``on_error="null"`` leaves the answers of a bad row empty, and warns; otherwise it is a
    ``DiceError``. ``quantiles=[]`` gives the least and the greatest result instead of quantiles.

    A ``pyarrow.RecordBatchReader`` is read as its result is: neither is in memory as a whole.
    """
    if isinstance(rules, str):
        rules = {"odds": rules}
    if not isinstance(rules, Mapping):
        raise TypeError('rules have names: {"hit": "1d20 + [Attack] >= [AC]"}')
    given: Any = table
    table, back = as_table(given)
    kind = _kind(table)
    with_own = kind in ("reader", "duckdb", "other")
    rows = None if with_own else len(table)
    added = _dicec.batch(
        table,
        list(rules.items()),
        resources,
        trials=trials,
        precision=precision,
        seed=seed,
        threads=threads,
        quantiles=None if quantiles is None else list(quantiles),
        on_error=on_error,
        progress=progress,
        rows=rows,
        whole=with_own,
        lazy=kind == "reader",
        dialect=dialect,
        limits=None if limits is None else dict(limits),
    )
    return back(_PUT_TOGETHER[kind](table, added))


#: The kinds of tables, by the package and the name of their types.
_KINDS = {
    ("duckdb", "DuckDBPyRelation"): "duckdb",
    ("pandas", "DataFrame"): "pandas",
    ("polars", "DataFrame"): "polars",
    ("pyarrow", "RecordBatch"): "record batch",
    ("pyarrow", "RecordBatchReader"): "reader",
    ("pyarrow", "Table"): "pyarrow",
}


def _kind(table: object) -> str:
    for base in type(table).__mro__:
        package = base.__module__.partition(".")[0].lstrip("_")
        kind = _KINDS.get((package, base.__name__))
        if kind is not None:
            return kind
    if hasattr(table, "__arrow_c_stream__"):
        return "other"
    raise TypeError(
        f"{type(table).__name__} is not a table: give one of pyarrow, pandas, Polars or DuckDB, "
        "a dictionary of columns, a list of dictionaries, a path, or an object with Arrow's C "
        "interface (__arrow_c_stream__)"
    )


def _pandas(table: Any, added: Any) -> Any:
    import pandas
    import pyarrow

    columns = pyarrow.table(added).to_pandas()
    columns.index = table.index
    return pandas.concat([table, columns], axis=1)


def _polars(table: Any, added: Any) -> Any:
    import polars

    return table.hstack(polars.DataFrame(added))


def _pyarrow(table: Any, added: Any) -> Any:
    import pyarrow

    columns = pyarrow.table(added)
    for field, column in zip(columns.schema, columns.columns):
        table = table.append_column(field, column)
    return table


def _record_batch(batch: Any, added: Any) -> Any:
    import pyarrow

    columns = pyarrow.table(added)
    arrays = [column.combine_chunks() for column in columns.columns]
    schema = pyarrow.schema([*batch.schema, *columns.schema], batch.schema.metadata)
    return pyarrow.record_batch([*batch.columns, *arrays], schema=schema)


def _reader(_: Any, whole: Any) -> Any:
    import pyarrow

    return pyarrow.RecordBatchReader.from_stream(whole)


def _duckdb(relation: Any, whole: Any) -> Any:
    import pyarrow

    # DuckDB finds the table by the name of this variable.
    dicec_rows = pyarrow.table(whole)
    return relation.query("dicec_relation", "SELECT * FROM dicec_rows")


def _other(_: Any, whole: Any) -> Any:
    return whole


_PUT_TOGETHER = {
    "duckdb": _duckdb,
    "other": _other,
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": _pyarrow,
    "reader": _reader,
    "record batch": _record_batch,
}
