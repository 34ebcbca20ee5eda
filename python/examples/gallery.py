# %% [markdown]
# # A gallery of dicec
#
# Cells for a notebook: Jupyter (with jupytext), VS Code and Spyder open this file as one. CI runs it
# as a script, and it checks what it says.

# %%
from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import dicec
import numpy
import pandas
from dicec import d, highest

# %% [markdown]
# ## Dice are objects
#
# Every operand is a roll of its own: `d(6) + d(6)` is two dice. Results stay exact.

# %%
fireball = 8 @ d(6)
halved = fireball // 2
saved = d(20) + 3 >= 15
print(fireball, halved, saved, sep="\n")
assert saved.fraction() == Fraction(9, 20)

# %% [markdown]
# Two attacks with advantage, of which the better one counts.

# %%
advantage = highest(d(20), d(20))
assert advantage == dicec.odds("2d20kh1")
print(f"mean {advantage:.2f}, {advantage >= 15:.1%} reach 15")

# %% [markdown]
# ## The figures that SciPy names

# %%
totals = numpy.arange(8, 49, 8)
print(pandas.DataFrame({"cdf": fireball.cdf(totals), "sf": fireball.sf(totals)}, index=totals))
print(fireball.ppf([0.05, 0.5, 0.95]), fireball.std, fireball.mode)

# %% [markdown]
# ## A rule for each value

# %%
swept = dicec.sweep("1d20 + [Attack] >= [AC]", Attack=range(3, 9), AC=[12, 15, 18])
hits = pandas.DataFrame([{**values, "p": odds.p()} for values, odds in swept])
grid = hits.pivot(index="Attack", columns="AC", values="p")
print(grid)
assert grid.loc[5, 15] == 0.55

# %% [markdown]
# ## Rules for each row of a table

# %%
weapons = pandas.DataFrame(
    {"Weapon": ["dagger", "sword", "axe", "maul"], "Dice": ["1d4", "1d8", "1d12", "2d6"]}
)
rules = {"damage": "([Attack] + 1d20 >= [AC]) * ([Dice] + 3)"}
damage = dicec.batch(weapons, rules, {"Attack": 6, "AC": 15})
print(damage.sort_values("damage_mean")[["Weapon", "damage_mean", "damage_p95"]])
assert damage.set_index("Weapon").loc["maul", "damage_mean"] == 6.0

# %% [markdown]
# ## Samples, and single rolls

# %%
groups = dicec.sample("4d6kh3", size=(100_000, 6), rng=numpy.random.default_rng(1))
print("the best of six abilities:", groups.max(axis=1).mean())
roll = dicec.roll("2d20kh1 + 5", seed=7)
print(roll, roll.total, [die.face for die in roll.dice])

# %% [markdown]
# ## Pictures
#
# `svg()` and notebooks need no other package; `plot()` draws on axes of matplotlib.


# %%
def pictures(folder: Path) -> Any:
    """Draw the spell, and the ways to roll an ability."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
    fireball.plot(ax=left, color="firebrick")
    left.set_title("8d6")
    for rule, odds in dicec.odds({"3d6": "3d6", "4d6kh3": "4d6kh3"}).items():
        odds.plot(ax=right, alpha=0.5, label=rule)
    right.legend()
    figure.tight_layout()
    figure.savefig(folder / "gallery.png")
    return figure


# %%
if __name__ == "__main__":
    pictures(Path())
