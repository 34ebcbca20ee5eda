"""A compiler for tabletop dice.

>>> import dicec
>>> dicec.odds("4d6kh3").p(ge=15)
0.23148148148148148

* ``odds``, ``sim``, ``roll`` and ``sample`` answer questions about a rule such as
  ``"1d20 + [Attack] >= [Target AC]"``: exactly, by simulation in native code, once die by die, and
  as an array of NumPy. ``sweep`` asks for each value of a resource, and ``compare`` two rules.
* ``d(6)`` and ``die([1, 2, 2])`` are dice: ``3 @ d(6) + 2``, ``d(20) + 5 >= 15``, ``highest(a, b)``.
* ``anydice`` runs programs of AnyDice, and ``anydice_sweep`` one for values of its variables.
* ``Script`` has the rolls of a script of the rolling language.
* ``day`` fights and rests through a whole day many times.
* ``encounter`` fights an encounter of stat blocks many times; ``creatures`` has those of the SRD.
* ``batch`` works out rules for each row of a table of pyarrow, pandas, Polars or DuckDB.

What is wrong is a ``DiceError``. docs/python.md is the guide.
"""

from importlib.metadata import version as _version

from . import _habits as _habits
from ._dicec import (
    Day,
    Encounter,
    Joint,
    Odds,
    Outputs,
    Roll,
    Script,
    ScriptOdds,
    anydice,
    anydice_sweep,
    creatures,
    day,
    encounter,
    roll,
    sim,
)
from ._errors import DiceError, DiceWarning, Finding, WrongAnswer
from ._questions import compare, d, die, highest, lowest, odds, sweep
from ._rolls import Die
from ._samples import sample
from ._tables import batch
from ._values import Comparison

__version__ = _version("dicec")

__all__ = [
    "Comparison",
    "Day",
    "DiceError",
    "DiceWarning",
    "Die",
    "Encounter",
    "Finding",
    "Joint",
    "Odds",
    "Outputs",
    "Roll",
    "Script",
    "ScriptOdds",
    "WrongAnswer",
    "anydice",
    "anydice_sweep",
    "batch",
    "compare",
    "creatures",
    "d",
    "day",
    "die",
    "encounter",
    "highest",
    "lowest",
    "odds",
    "roll",
    "sample",
    "sim",
    "sweep",
]
