"""The native half of the package: types of what it gives."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from os import PathLike
from typing import Any, Optional, Union, final

import numpy

from ._rolls import Die
from ._values import Comparison

__all__ = [
    "Day",
    "Encounter",
    "Joint",
    "Odds",
    "Outputs",
    "Ready",
    "Roll",
    "Script",
    "ScriptOdds",
    "anydice",
    "anydice_sweep",
    "batch",
    "command",
    "creatures",
    "day",
    "encounter",
    "fill",
    "odds",
    "of_parts",
    "parts",
    "roll",
    "sampler",
    "sim",
    "summed",
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
    def expression(self) -> str:
        """The rule in its normal form, or the arithmetic of Python that gave these odds."""
    @property
    def kind(self) -> str:
        """"number", "check", "degree", "level", "test" or "label"."""
    @property
    def exact(self) -> bool:
        """Whether the probabilities are exact rather than sampled."""
    @property
    def mean(self) -> float:
        """The mean; of a check the probability that it is true."""
    @property
    def sd(self) -> Optional[float]:
        """The standard deviation; None for a single trial."""
    @property
    def min(self) -> Optional[_Number]:
        """The least number; None if there is always a lesser one."""
    @property
    def max(self) -> Optional[_Number]:
        """The greatest number; None if there is always a greater one."""
    def p(
        self,
        value: Optional[_Outcome] = None,
        /,
        *,
        eq: Optional[_Outcome] = None,
        ge: Optional[_Number] = None,
        gt: Optional[_Number] = None,
        le: Optional[_Number] = None,
        lt: Optional[_Number] = None,
    ) -> float:
        """The probability of a result, p(7), p(eq=7) or p("hit"), or of several: p(ge=15), p(gt=14),
        p(le=4), p(lt=5), p(ge=7, le=9). Without any, that of true or of a success.
        """
    def fraction(
        self,
        value: Optional[_Outcome] = None,
        /,
        *,
        eq: Optional[_Outcome] = None,
        ge: Optional[_Number] = None,
        gt: Optional[_Number] = None,
        le: Optional[_Number] = None,
        lt: Optional[_Number] = None,
    ) -> Optional[Fraction]:
        """The same as a fractions.Fraction; None if the odds are not fractions."""
    def interval(
        self,
        value: Optional[_Outcome] = None,
        /,
        *,
        eq: Optional[_Outcome] = None,
        ge: Optional[_Number] = None,
        gt: Optional[_Number] = None,
        le: Optional[_Number] = None,
        lt: Optional[_Number] = None,
    ) -> Optional[tuple[float, float]]:
        """The 95 % interval of a sampled probability; None if it is exact."""
    def quantile(self, q: float) -> _Number:
        """The smallest result that at least a share q of all is not above."""
    def outcomes(self) -> list[tuple[_Outcome, float]]:
        """Each result with its probability, from the least on."""
    def compare(self, other: Odds) -> Comparison:
        """How an independent roll of this compares with one of `other`: the probabilities that it is
        greater, equal and less.
        """
    def given(self, condition: str) -> Odds:
        """The odds of the rolls for which a condition on the result holds: given("total >= 10"). A
        result that is not a number is called result.
        """
    @property
    def given_p(self) -> float:
        """The probability of the condition that the odds are given; 1 without one."""
    @property
    def clamped(self) -> Optional[float]:
        """The share of all rolls whose result clamping at 0 changed; None if it changed nothing."""
    @property
    def left_out(self) -> float:
        """A bound on the probability of rolls that are left out: of dice that explode very often."""
    @property
    def stderr(self) -> Optional[float]:
        """The standard error of a sampled mean; None if it is exact."""
    @property
    def trials(self) -> Optional[int]:
        """How many trials were run; None if the odds are exact."""
    @property
    def seed(self) -> Optional[int]:
        """The seed that gives the same odds again; None if they are exact."""
    @property
    def interrupted(self) -> bool:
        """Whether a simulation ended before it was done, because its callback returned False."""
    def to_dict(self) -> dict[str, Any]:
        """All of it as dictionaries and lists: what `dicec odds --json` and `dicec sim --json` print."""
    def svg(self) -> str:
        """A picture as an SVG document."""
    @property
    def std(self) -> Optional[float]:
        """The standard deviation: the same as sd."""
    @property
    def var(self) -> Optional[float]:
        """The variance; None for a single trial."""
    @property
    def median(self) -> _Number:
        """The median: the smallest result that at least half of all is not above."""
    @property
    def mode(self) -> Any:
        """The most likely result; the first of them, if several are."""
    def pmf(self, x: Any) -> Any:
        """The probability of a result: p(x). Of an array, an array."""
    def cdf(self, x: Any) -> Any:
        """The probability of a result of at most x: p(le=x). Of an array, an array."""
    def sf(self, x: Any) -> Any:
        """The probability of a result above x: p(gt=x). Of an array, an array."""
    def ppf(self, q: Any) -> Any:
        """The smallest result that at least a share q of all is not above: quantile(q). Of an array, an
        array.
        """
    def rvs(self, size: Any = None, random_state: Any = None) -> Any:
        """Independent rolls as an array of NumPy, or one roll without a size: drawn from these odds by a
        generator of NumPy, or one of this seed. `dicec.sample` draws millions of rolls from a rule.
        """
    def map(self, f: Union[Callable[[Any], _Outcome], dict[Any, _Outcome]], /) -> Odds:
        """The odds of a function of the result, or of what a dictionary has for it:
        map(lambda total: total // 2). It gives numbers, truth values or names.
        """
    def keys(self) -> list[_Outcome]:
        """The results, from the least on: what iteration gives, and `dict(odds)` has."""
    def values(self) -> list[float]:
        """The probability of each result, in the order of keys()."""
    def items(self) -> list[tuple[_Outcome, float]]:
        """Each result with its probability: the same as outcomes()."""
    def get(self, value: _Outcome, default: Optional[float] = None) -> Optional[float]:
        """The probability of a result, or a default for what is none."""
    def fractions(self) -> Optional[dict[_Outcome, Fraction]]:
        """Each result with its probability as a fractions.Fraction; None if they are not fractions."""
    def to_numpy(self) -> tuple[Any, Any]:
        """The results and their probabilities as two arrays of NumPy."""
    def to_pandas(self) -> Any:
        """The probabilities as a Series of pandas, whose index has the results."""
    def to_polars(self) -> Any:
        """A DataFrame of Polars with the columns outcome and probability."""
    def to_json(self, **keywords: Any) -> str:
        """The text of to_dict() as JSON; keywords are those of `json.dumps`."""
    def plot(self, ax: Any = None, **keywords: Any) -> Any:
        """Draw the probabilities as bars with matplotlib, on these axes or on new ones, which it gives.
        Keywords are those of `Axes.bar`. `svg()` needs no other package.
        """
    def __add__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __radd__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __sub__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __rsub__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __mul__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __rmul__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __truediv__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __rtruediv__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __floordiv__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __rfloordiv__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __mod__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __rmod__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __pow__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __rpow__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __and__(self, other: Odds) -> Odds: ...
    def __rand__(self, other: Odds) -> Odds: ...
    def __or__(self, other: Odds) -> Odds: ...
    def __ror__(self, other: Odds) -> Odds: ...
    def __ge__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __gt__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __le__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __lt__(self, other: Union[Odds, _Number]) -> Odds: ...
    def __matmul__(self, other: Odds) -> Odds: ...
    def __rmatmul__(self, other: int) -> Odds: ...
    def __neg__(self) -> Odds: ...
    def __pos__(self) -> Odds: ...
    def __abs__(self) -> Odds: ...
    def __invert__(self) -> Odds: ...
    def __bool__(self) -> bool: ...
    def __float__(self) -> float: ...
    def __eq__(self, other: object) -> bool: ...
    def __ne__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __iter__(self) -> Iterator[_Outcome]: ...
    def __len__(self) -> int: ...
    def __contains__(self, value: object) -> bool: ...
    def __getitem__(self, value: _Outcome) -> float: ...
    def __format__(self, spec: str) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __copy__(self) -> Odds: ...
    def __deepcopy__(self, memo: object) -> Odds: ...
    __array_ufunc__: None
    def _repr_svg_(self) -> str: ...
    def _repr_html_(self) -> str: ...

@final
class Outputs:
    """The odds of the outputs of an AnyDice program, in their order."""

    @property
    def names(self) -> list[str]:
        """The names of the outputs."""
    def items(self) -> list[tuple[str, Optional[Odds]]]:
        """Each name with the odds of its output."""
    def __len__(self) -> int: ...
    def __contains__(self, name: str, /) -> bool: ...
    def __getitem__(self, key: Union[int, str], /) -> Optional[Odds]: ...
    def to_dict(self) -> dict[str, Any]:
        """All of it as dictionaries and lists: what `dicec odds FILE.anydice --json` prints."""
    def svg(self) -> str:
        """A picture of all outputs as an SVG document."""
    def _repr_html_(self) -> str: ...

@final
class Roll:
    """One roll: what it comes to, and its dice."""

    @property
    def result(self) -> Optional[_Outcome]:
        """What it comes to: a number, a truth value, or the name of a degree or a label; None of a
        script that returns nothing.
        """
    @property
    def total(self) -> _Number:
        """The number that it comes to; a TypeError of what is no number."""
    @property
    def dice(self) -> list[Die]:
        """The dice in the order in which they are rolled, those that are dropped among them."""
    @property
    def crit(self) -> bool:
        """Whether a die that is kept shows its critical face: the highest one unless the rule says."""
    @property
    def fumble(self) -> bool:
        """Whether a die that is kept shows its fumble: 1 unless the rule says."""
    @property
    def text(self) -> str:
        """The roll as text: `2d6[3, 4] + 1 = 8`; of a script its lines."""
    @property
    def lines(self) -> list[str]:
        """The lines of a script, in order; none of a rule."""
    @property
    def seed(self) -> Optional[int]:
        """The seed that gives the same roll again; None of given faces."""
    def to_dict(self) -> dict[str, Any]:
        """All of it as dictionaries and lists: what `dicec roll --json` prints."""
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def _repr_html_(self) -> str: ...

@final
class Joint:
    """The exact odds of several parts of the result of a roll together."""

    @property
    def parts(self) -> list[str]:
        """The names of the parts."""
    def outcomes(self) -> list[tuple[tuple[Union[int, float, bool, str], ...], float]]:
        """Each possible combination, a tuple with the value of every part, with its probability."""
    def records(self) -> list[dict[str, Union[int, float, bool, str]]]:
        """A dictionary for each possible combination, with the value of every part by its name, and
        its probability as `p`: for `pandas.DataFrame` or `polars.DataFrame`.
        """
    def p(self, *values: Union[int, float, bool, str]) -> float:
        """The probability of a value of every part, in their order: 0 if it is impossible."""
    def fraction(self, *values: Union[int, float, bool, str]) -> Optional[Fraction]:
        """The same as a fractions.Fraction; None if the odds are not fractions."""
    def to_dict(self) -> dict[str, Any]:
        """All of it as dictionaries and lists: what `dicec odds FILE.dice --joint --json` prints."""

@final
class ScriptOdds:
    """The odds of a roll of a script: its results, lines and statistics."""

    @property
    def roll(self) -> str:
        """The name of the roll."""
    @property
    def result(self) -> Optional[Odds]:
        """The odds of what it returns; None if it returns nothing."""
    @property
    def parts(self) -> dict[str, Odds]:
        """The odds of each part of a result with several, by name; empty if it has only one."""
    def __getitem__(self, key: str, /) -> Odds:
        """The odds of a part of the result."""
    def joint(self, *parts: str) -> Joint:
        """The odds of two or more parts of the result together: joint("hits", "crits")."""
    def given(self, condition: str) -> ScriptOdds:
        """The odds of the rolls for which a condition on the result or its parts holds:
        given("crits >= 1 and hits = 2"), or given("total >= 10") for a single number. They have no
        lines and statistics.
        """
    @property
    def given_p(self) -> float:
        """The probability of the condition that the odds are given; 1 without one."""
    @property
    def lines(self) -> dict[str, float]:
        """The lines that it puts out, with {} for each number, and how many of each a trial has on
        average.
        """
    @property
    def stats(self) -> dict[str, Odds]:
        """The odds of the numbers of each statistic that was noted."""
    @property
    def trials(self) -> Optional[int]:
        """How many trials were run; None if the odds are exact."""
    @property
    def seed(self) -> Optional[int]:
        """The seed that gives the same odds again; None if they are exact."""
    @property
    def interrupted(self) -> bool:
        """Whether a simulation ended before it was done, because its callback returned False."""
    def to_dict(self) -> dict[str, Any]:
        """All of it as dictionaries and lists: what `dicec odds FILE.dice --json` prints."""
    def _repr_html_(self) -> str: ...

@final
class Script:
    """A script of the rolling language: a path whose name ends in .dice, or a text."""

    def __new__(cls, source: Union[str, PathLike[str]], /, *, limits: _Limits = None) -> Script: ...
    @property
    def rolls(self) -> list[str]:
        """The names of its rolls."""
    def describe(self) -> dict[str, Any]:
        """What an application needs to know: the JSON Schema of each roll's arguments, and more."""
    def odds(
        self,
        args: Optional[Mapping[str, Any]] = None,
        /,
        *,
        roll: Optional[str] = None,
        resources: _Resources = None,
        options: Optional[Mapping[str, Union[bool, float, str]]] = None,
    ) -> ScriptOdds:
        """Compute the exact odds of a roll."""
    def roll(
        self,
        args: Optional[Mapping[str, Any]] = None,
        /,
        *,
        roll: Optional[str] = None,
        resources: _Resources = None,
        seed: Optional[int] = None,
    ) -> Roll:
        """Make a roll once."""
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
    ) -> ScriptOdds:
        """Simulate a roll; see `dicec.sim`. Without `trials` or `precision`, it runs until the results
        are known to 0.1 % of their range.
        """

@final
class Day:
    """What a day of fights and rests came to."""

    @property
    def title(self) -> str:
        """The day as a line."""
    @property
    def survives(self) -> float:
        """The probability that the party wins all fights."""
    @property
    def interval(self) -> Optional[tuple[float, float]]:
        """Its 95 % interval."""
    @property
    def fights(self) -> list[dict[str, Any]]:
        """The fights in order, each a dictionary with its chances and what the party has left."""
    @property
    def trials(self) -> int:
        """The number of days."""
    @property
    def seed(self) -> int:
        """The seed that gives the same odds again."""
    @property
    def interrupted(self) -> bool:
        """Whether the simulation ended before it was done, because its callback returned False."""
    def to_dict(self) -> dict[str, Any]:
        """All of it as dictionaries and lists: what `dicec day --json` prints."""
    def _repr_html_(self) -> str: ...

@final
class Encounter:
    """What an encounter came to: who won, how often, and what became of whom."""

    @property
    def title(self) -> str:
        """The encounter as a line."""
    @property
    def sides(self) -> tuple[str, str]:
        """The names of the sides."""
    @property
    def win(self) -> float:
        """The probability that the first side wins."""
    @property
    def lose(self) -> float:
        """The probability that the second side wins."""
    @property
    def draw(self) -> float:
        """The probability that nobody does."""
    @property
    def interval(self) -> Optional[tuple[float, float]]:
        """The 95 % interval of `win`; None if it is exact."""
    @property
    def rounds(self) -> Optional[Odds]:
        """The odds of how many rounds a fight has."""
    @property
    def trials(self) -> Optional[int]:
        """How many fights were simulated; None if the odds are exact."""
    @property
    def seed(self) -> Optional[int]:
        """The seed that gives the same odds again; None if they are exact."""
    @property
    def interrupted(self) -> bool:
        """Whether the simulation ended before it was done, because its callback returned False."""
    def to_dict(self) -> dict[str, Any]:
        """All of it as dictionaries and lists: what `dicec encounter --json` prints."""
    def svg(self) -> str:
        """A picture of who wins as an SVG document."""
    def _repr_svg_(self) -> str: ...
    def _repr_html_(self) -> str: ...

@final
class Ready:
    """A rule that is ready to be sampled."""

    @property
    def kind(self) -> str:
        """"int", "float", "bool", or "name": an index of `names`."""
    @property
    def names(self) -> list[str]:
        """The names that results stand for."""

def odds(
    rule: str,
    /,
    resources: _Resources = None,
    *,
    dialect: Optional[str] = None,
    limits: _Limits = None,
    **named: Union[int, float, str],
) -> Odds:
    """Compute the exact odds of a rule.

    `resources` has a value for each name in brackets, `{"Attack": 5, "Target AC": 15}`: a number,
    or dice as text. Names that are words of Python may be keywords: `odds("d20 + [Attack]",
    Attack=5)`.
    """
def parts(odds: Odds) -> dict[str, Any]:
    """What odds consist of.

    # Errors
    `ValueError` if their single outcomes are not known.
    """
def of_parts(parts: dict[str, Any]) -> Odds:
    """The odds that consist of these parts.

    # Errors
    `ValueError` if no odds do.
    """
def summed(one: Odds, other: Odds, expression: str) -> Odds:
    """The odds of the sum of two independent rolls of exact odds of whole numbers.

    # Errors
    `OverflowError` for sums of more than 64 bits, and `ValueError` for odds of too many results.
    """
def anydice(
    program: Union[str, PathLike[str]],
    /,
    *,
    set: Optional[dict[str, int]] = None,
    limits: _Limits = None,
) -> Outputs:
    """Compute the exact odds of the outputs of an AnyDice program: a text, or a path whose name ends
    in .anydice.

    `set` has values for global variables of the program, `{"N": 4}`, which its assignments do not
    change.
    """

def anydice_sweep(
    program: Union[str, PathLike[str]],
    /,
    sweep: Mapping[str, Iterable[int]],
    *,
    set: Optional[dict[str, int]] = None,
    limits: _Limits = None,
) -> list[tuple[dict[str, int], Outputs]]:
    """Compute the exact odds of an AnyDice program for each value of global variables, or each
    combination of the values of several: `sweep={"N": range(1, 6)}`. The last one varies fastest.

    A list of pairs: the values, `{"N": 1}`, and the outputs."""
def sim(
    rule: str,
    /,
    resources: _Resources = None,
    *,
    trials: Optional[int] = None,
    precision: Optional[float] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    progress: _Progress = None,
    dialect: Optional[str] = None,
    limits: _Limits = None,
    **named: Union[int, float, str],
) -> Odds:
    """Simulate a rule in native code.

    It runs `trials`, 10 million unless you say, or until the 95 % interval is at most `precision`
    from its middle. The same `seed` gives the same result, with any number of `threads`.
    `progress(done, most)` is called some 20 times a second; if it returns False, the simulation
    ends with the trials done so far, and its odds are `interrupted`. Ctrl-C raises
    KeyboardInterrupt. Other threads of Python run meanwhile.
    """
def roll(
    rule: str,
    /,
    resources: _Resources = None,
    *,
    seed: Optional[int] = None,
    faces: Optional[Sequence[int]] = None,
    dialect: Optional[str] = None,
    limits: _Limits = None,
    **named: Union[int, float, str],
) -> Roll:
    """Roll a rule once, and show each die.

    The same `seed` gives the same roll. `faces` are the dice that you rolled yourself, in the order
    in which they are rolled; all of them have to be used.
    """
def day(
    day: Union[str, PathLike[str], Mapping[str, Any]],
    /,
    *,
    bestiary: Union[None, str, PathLike[str], Mapping[str, Any], Sequence[Any]] = None,
    trials: Optional[int] = None,
    precision: Optional[float] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    progress: _Progress = None,
    limits: _Limits = None,
) -> Day:
    """Fight and rest through a whole day many times.

    It is a line, `"4 Veteran: 6 Goblin; short rest; 2 Ogre"`, the path of a JSON file, or a
    document as a mapping. Without `trials` or `precision`, days go on until the chance to survive
    is known to 0.3 percentage points. `bestiary` has stat blocks of your own, as for `encounter`.
    """
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
) -> Encounter:
    """Fight an encounter many times.

    It is a line, `"4 Veteran vs 1 Troll, 6 Goblin"`, the path of a document, or a document as a
    mapping. Without `trials` or `precision`, fights go on until each chance is known to 0.3
    percentage points; `exact` gives exact odds of small fights. `bestiary` has stat blocks of your
    own: a mapping, a list of them, or the path of a JSON file.
    """
def creatures() -> list[dict[str, Any]]:
    """The stat blocks of the 334 creatures of the SRD 5.1, as dictionaries."""
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
) -> Ready:
    """Prepares the sampling of a rule."""
def fill(ready: Ready, array: numpy.ndarray[Any, Any], progress: _Progress = None) -> None:
    """Fills an array with results, one for each trial: numbers, truth values, or indices of names. The
    results of a rule with decimals are for an array of floats.
    """
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
) -> Any:
    """Works out rules for each row of a table. Gives what is added to it, as a stream of Arrow; with
    `whole` after the table's own columns, and with `lazy` as the stream is read.
    """
def command(words: Sequence[str]) -> int:
    """Run the command `dicec` with these words, of which the first is its name; gives its exit code.

    It is for a process of its own: it takes Ctrl-C, and prints to the process' standard output.
    """
