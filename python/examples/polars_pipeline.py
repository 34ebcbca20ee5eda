"""A pipeline of Polars: who does most damage to what, for its challenge rating.

Each of the 176,018 pairs of an attack and a target of the SRD gets the exact odds of its damage;
equal pairs are computed once.
"""

from __future__ import annotations

import dicec
import polars
from srd import RULES, pairs


def strongest(table: polars.DataFrame) -> polars.DataFrame:
    """The attack of each challenge rating that does most damage, over all targets."""
    return (
        dicec.batch(table, RULES)
        .group_by("CR", "Creature", "Action")
        .agg(polars.col("damage_mean").mean().alias("damage"))
        .sort("CR", "damage", "Creature", descending=[False, True, False])
        .group_by("CR", maintain_order=True)
        .first()
    )


if __name__ == "__main__":
    with polars.Config(tbl_rows=40):
        print(strongest(pairs()))
