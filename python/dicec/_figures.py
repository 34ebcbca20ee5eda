"""The figures of ``Odds`` by the names that SciPy and icepool give them, tables, and pictures."""

from __future__ import annotations

from typing import Any, Callable, Optional, Union

import numpy

from ._dicec import Odds

_Number = Union[int, float]


def _each(f: Callable[[Any], Any], x: Any) -> Any:
    """A function of a number, or of each number of an array."""
    if numpy.ndim(x) == 0:
        return f(x.item() if hasattr(x, "item") else x)
    array = numpy.asarray(x)
    found = [f(value) for value in array.ravel().tolist()]
    return numpy.array(found).reshape(array.shape)


def _pmf(self: Odds, x: Any) -> Any:
    """The probability of a result: p(x). Of an array, an array."""
    return _each(lambda value: self.p(value), x)


def _cdf(self: Odds, x: Any) -> Any:
    """The probability of a result of at most x: p(le=x). Of an array, an array."""
    return _each(lambda value: self.p(le=value), x)


def _sf(self: Odds, x: Any) -> Any:
    """The probability of a result above x: p(gt=x). Of an array, an array."""
    return _each(lambda value: self.p(gt=value), x)


def _ppf(self: Odds, q: Any) -> Any:
    """The smallest result that at least a share q of all is not above: quantile(q). Of an array, an
    array.
    """
    return _each(self.quantile, q)


def _rvs(self: Odds, size: Any = None, random_state: Any = None) -> Any:
    """Independent rolls as an array of NumPy, or one roll without a size: drawn from these odds by a
    generator of NumPy, or one of this seed. `dicec.sample` draws millions of rolls from a rule.
    """
    generator = numpy.random.default_rng(random_state)
    pairs = self.outcomes()
    results = numpy.array([value for value, _ in pairs])
    chances = numpy.array([p for _, p in pairs])
    drawn = generator.choice(results, size, p=chances / chances.sum())
    return drawn.item() if size is None else drawn


def _std(self: Odds) -> Optional[float]:
    """The standard deviation: the same as sd."""
    return self.sd


def _var(self: Odds) -> Optional[float]:
    """The variance; None for a single trial."""
    fractions = self.fractions() if self.exact else None
    sd = self.sd
    if fractions is None or sd is None or any(isinstance(value, str) for value in fractions):
        return None if sd is None else sd * sd
    numbers = [(value, p) for value, p in fractions.items() if isinstance(value, int)]
    if len(numbers) < len(fractions):
        return sd * sd
    mean = sum(value * p for value, p in numbers)
    return float(sum(value * value * p for value, p in numbers) - mean * mean)


def _median(self: Odds) -> _Number:
    """The median: the smallest result that at least half of all is not above."""
    return self.quantile(0.5)


def _mode(self: Odds) -> Any:
    """The most likely result; the first of them, if several are."""
    return max(self.outcomes(), key=lambda pair: pair[1])[0]


def _needed(package: str, method: str) -> Any:
    """A package that is used if it is there."""
    try:
        return __import__(package, fromlist=["_"])
    except ImportError as error:
        name = package.partition(".")[0]
        raise ImportError(f"{method} needs {name}: pip install {name}") from error


def _to_numpy(self: Odds) -> tuple[Any, Any]:
    """The results and their probabilities as two arrays of NumPy."""
    pairs = self.outcomes()
    return numpy.array([value for value, _ in pairs]), numpy.array([p for _, p in pairs])


def _to_pandas(self: Odds) -> Any:
    """The probabilities as a Series of pandas, whose index has the results."""
    pandas = _needed("pandas", "to_pandas")
    index = pandas.Index([value for value, _ in self.outcomes()], name="outcome")
    return pandas.Series([p for _, p in self.outcomes()], index=index, name=self.expression)


def _to_polars(self: Odds) -> Any:
    """A DataFrame of Polars with the columns outcome and probability."""
    polars = _needed("polars", "to_polars")
    outcomes, chances = zip(*self.outcomes())
    return polars.DataFrame({"outcome": outcomes, "probability": chances})


def _plot(self: Odds, ax: Any = None, **keywords: Any) -> Any:
    """Draw the probabilities as bars with matplotlib, on these axes or on new ones, which it gives.
    Keywords are those of `Axes.bar`. `svg()` needs no other package.
    """
    if ax is None:
        ax = _needed("matplotlib.pyplot", "plot").subplots()[1]
    results = [value if self.kind == "number" else str(value) for value, _ in self.outcomes()]
    ax.bar(results, [p for _, p in self.outcomes()], **{"label": self.expression, **keywords})
    ax.set_xlabel("result")
    ax.set_ylabel("probability")
    return ax


def methods() -> dict[str, Any]:
    """The members that ``Odds`` gets from here."""
    return {
        "pmf": _pmf,
        "cdf": _cdf,
        "sf": _sf,
        "ppf": _ppf,
        "rvs": _rvs,
        "std": property(_std),
        "var": property(_var),
        "median": property(_median),
        "mode": property(_mode),
        "to_numpy": _to_numpy,
        "to_pandas": _to_pandas,
        "to_polars": _to_polars,
        "plot": _plot,
    }
