"""A compiler for tabletop dice.

>>> import dicec
>>> dicec.odds("4d6kh3").p(ge=15)
0.23148148148148148

* ``odds``, ``sim``, ``roll`` and ``sample`` answer questions about a rule such as
  ``"1d20 + [Attack] >= [Target AC]"``: exactly, by simulation in native code, once die by die, and
  as an array of NumPy.
* ``anydice`` runs programs of AnyDice, and ``anydice_sweep`` one for values of its variables.
* ``Script`` has the rolls of a script of the rolling language.
* ``day`` fights and rests through a whole day many times.
* ``encounter`` fights an encounter of stat blocks many times; ``creatures`` has those of the SRD.
* ``batch`` works out rules for each row of a table of pyarrow, pandas, Polars or DuckDB.

What is wrong is a ``DiceError``. docs/python.md is the guide.
"""

from importlib.metadata import version as _version

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
    odds,
    roll,
    sim,
)
from ._errors import DiceError, DiceWarning, Finding, WrongAnswer
from ._samples import sample
from ._tables import batch
from ._values import Comparison

__version__ = _version("dicec")

__all__ = [
    "Comparison",
    "Day",
    "DiceError",
    "DiceWarning",
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
    "creatures",
    "day",
    "encounter",
    "odds",
    "roll",
    "sample",
    "sim",
]
