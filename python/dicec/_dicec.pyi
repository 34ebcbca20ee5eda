"""The native half of the package: types of what it gives."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from os import PathLike
from typing import Any, Optional, Union, final

import numpy

from ._values import Comparison

__all__ = [
    "Encounter",
    "Odds",
    "Ready",
    "Roll",
    "Script",
    "ScriptOdds",
    "batch",
    "command",
    "creatures",
    "encounter",
    "fill",
    "odds",
    "roll",
    "sampler",
    "sim",
]

_Number = Union[int, float]
_Outcome = Union[int, float, bool, str]
_Resources = Optional[Mapping[str, Union[int, float, str]]]
_Progress = Optional[Callable[[int, Optional[int]], object]]
_Limits = Optional[dict[str, int]]

@final
class Odds:
    """The odds of a rule, of what a script's roll gives, or of a statistic."""

    @property
    def expression(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def exact(self) -> bool: ...
    @property
    def mean(self) -> float: ...
    @property
    def sd(self) -> Optional[float]: ...
    @property
    def min(self) -> Optional[_Number]: ...
    @property
    def max(self) -> Optional[_Number]: ...
    def p(
        self,
        value: Optional[_Outcome] = None,
        /,
        *,
        ge: Optional[_Number] = None,
        le: Optional[_Number] = None,
    ) -> float: ...
    def fraction(
        self,
        value: Optional[_Outcome] = None,
        /,
        *,
        ge: Optional[_Number] = None,
        le: Optional[_Number] = None,
    ) -> Optional[Fraction]: ...
    def interval(
        self,
        value: Optional[_Outcome] = None,
        /,
        *,
        ge: Optional[_Number] = None,
        le: Optional[_Number] = None,
    ) -> Optional[tuple[float, float]]: ...
    def quantile(self, q: float) -> _Number: ...
    def outcomes(self) -> list[tuple[_Outcome, float]]: ...
    def compare(self, other: Odds) -> Comparison: ...
    @property
    def clamped(self) -> Optional[float]: ...
    @property
    def left_out(self) -> float: ...
    @property
    def stderr(self) -> Optional[float]: ...
    @property
    def trials(self) -> Optional[int]: ...
    @property
    def seed(self) -> Optional[int]: ...
    @property
    def interrupted(self) -> bool: ...
    def to_dict(self) -> dict[str, Any]: ...
    def svg(self) -> str: ...
    def _repr_svg_(self) -> str: ...
    def _repr_html_(self) -> str: ...

@final
class Roll:
    """One roll: what it comes to, and its dice."""

    @property
    def result(self) -> Optional[_Outcome]: ...
    @property
    def text(self) -> str: ...
    @property
    def lines(self) -> list[str]: ...
    @property
    def seed(self) -> Optional[int]: ...
    def to_dict(self) -> dict[str, Any]: ...

@final
class ScriptOdds:
    """The odds of a roll of a script: its results, lines and statistics."""

    @property
    def roll(self) -> str: ...
    @property
    def result(self) -> Optional[Odds]: ...
    @property
    def lines(self) -> dict[str, float]: ...
    @property
    def stats(self) -> dict[str, Odds]: ...
    @property
    def trials(self) -> Optional[int]: ...
    @property
    def seed(self) -> Optional[int]: ...
    @property
    def interrupted(self) -> bool: ...
    def to_dict(self) -> dict[str, Any]: ...
    def _repr_html_(self) -> str: ...

@final
class Script:
    """A script of the rolling language: a path whose name ends in .dice, or a text."""

    def __new__(cls, source: Union[str, PathLike[str]], /, *, limits: _Limits = None) -> Script: ...
    @property
    def rolls(self) -> list[str]: ...
    def describe(self) -> dict[str, Any]: ...
    def odds(
        self,
        args: Optional[Mapping[str, Any]] = None,
        /,
        *,
        roll: Optional[str] = None,
        resources: _Resources = None,
        options: Optional[Mapping[str, Union[bool, float, str]]] = None,
    ) -> ScriptOdds: ...
    def roll(
        self,
        args: Optional[Mapping[str, Any]] = None,
        /,
        *,
        roll: Optional[str] = None,
        resources: _Resources = None,
        seed: Optional[int] = None,
    ) -> Roll: ...
    def sim(
        self,
        args: Optional[Mapping[str, Any]] = None,
        /,
        *,
        roll: Optional[str] = None,
        resources: _Resources = None,
        options: Optional[Mapping[str, Union[bool, float, str]]] = None,
        trials: Optional[int] = None,
        precision: Optional[float] = None,
        seed: Optional[int] = None,
        threads: Optional[int] = None,
        progress: _Progress = None,
    ) -> ScriptOdds: ...

@final
class Encounter:
    """What an encounter came to: who won, how often, and what became of whom."""

    @property
    def title(self) -> str: ...
    @property
    def sides(self) -> tuple[str, str]: ...
    @property
    def win(self) -> float: ...
    @property
    def lose(self) -> float: ...
    @property
    def draw(self) -> float: ...
    @property
    def interval(self) -> Optional[tuple[float, float]]: ...
    @property
    def rounds(self) -> Optional[Odds]: ...
    @property
    def trials(self) -> Optional[int]: ...
    @property
    def seed(self) -> Optional[int]: ...
    @property
    def interrupted(self) -> bool: ...
    def to_dict(self) -> dict[str, Any]: ...
    def svg(self) -> str: ...
    def _repr_svg_(self) -> str: ...
    def _repr_html_(self) -> str: ...

@final
class Ready:
    """A rule that is ready to be sampled."""

    @property
    def kind(self) -> str: ...
    @property
    def names(self) -> list[str]: ...

def odds(
    rule: str,
    resources: _Resources = None,
    /,
    *,
    dialect: Optional[str] = None,
    limits: _Limits = None,
    **named: Union[int, float, str],
) -> Odds: ...
def sim(
    rule: str,
    resources: _Resources = None,
    /,
    *,
    trials: Optional[int] = None,
    precision: Optional[float] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    progress: _Progress = None,
    dialect: Optional[str] = None,
    limits: _Limits = None,
    **named: Union[int, float, str],
) -> Odds: ...
def roll(
    rule: str,
    resources: _Resources = None,
    /,
    *,
    seed: Optional[int] = None,
    faces: Optional[Sequence[int]] = None,
    dialect: Optional[str] = None,
    limits: _Limits = None,
    **named: Union[int, float, str],
) -> Roll: ...
def encounter(
    encounter: Union[str, PathLike[str], Mapping[str, Any]],
    /,
    *,
    bestiary: Union[None, str, PathLike[str], Mapping[str, Any], Sequence[Any]] = None,
    exact: bool = False,
    trials: Optional[int] = None,
    precision: Optional[float] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    progress: _Progress = None,
    limits: _Limits = None,
) -> Encounter: ...
def creatures() -> list[dict[str, Any]]: ...
def sampler(
    rule: str,
    resources: _Resources = None,
    /,
    *,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    dialect: Optional[str] = None,
    limits: _Limits = None,
    **named: Union[int, float, str],
) -> Ready: ...
def fill(ready: Ready, array: numpy.ndarray[Any, Any], progress: _Progress = None) -> None: ...
def batch(
    table: Any,
    rules: Sequence[tuple[str, str]],
    resources: _Resources = None,
    /,
    *,
    trials: Optional[int] = None,
    precision: Optional[float] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    quantiles: Optional[Sequence[float]] = None,
    on_error: str = "raise",
    progress: _Progress = None,
    rows: Optional[int] = None,
    whole: bool = False,
    lazy: bool = False,
    dialect: Optional[str] = None,
    limits: _Limits = None,
) -> Any: ...
def command(words: Sequence[str]) -> int: ...
