"""The same job spread over processes by Dask: an existing engine carries it.

A row's answers depend on the row only, so they are the same in any partition, on any machine.
"""

from __future__ import annotations

from typing import Any

import dask
import dask.dataframe
import dicec
import pandas
from srd import RULES, pairs


def spread(table: pandas.DataFrame, partitions: int = 4, workers: int = 2) -> pandas.DataFrame:
    """The table with its answers, worked out in partitions by processes."""
    divide: Any = dask.dataframe.from_pandas
    frame = divide(table, npartitions=partitions)
    # What comes out of no rows tells Dask what will come out of some.
    meta = dicec.batch(table.head(0), RULES)
    answered = frame.map_partitions(dicec.batch, RULES, threads=1, meta=meta)
    with dask.config.set(scheduler="processes", num_workers=workers):
        return answered.compute()


if __name__ == "__main__":
    done = spread(pairs().to_pandas())
    print(done.groupby("Creature")["damage_mean"].mean().nlargest(10))
