"""How fast the package is, next to what one would use without it. Prints tables of Markdown.

    maturin develop --release && pip install icepool pandas polars pyarrow && python bench/speed.py

Everything runs in one process on the same machine, and the best of several runs counts. NumPy gets
the fastest way that we know for each rule.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import timeit
from collections.abc import Callable
from functools import partial
from pathlib import Path

import dicec
import icepool
import numpy
import polars
import pyarrow
import pyarrow.parquet

SAMPLES = 10_000_000
ROWS = 1_000_000

# A way to take samples.
Way = Callable[[], numpy.ndarray]


def best(work: Callable[[], object], repeats: int = 5) -> float:
    """The seconds that some work takes, at best."""
    timer = timeit.Timer(work)
    count, _ = timer.autorange()
    return min(timer.repeat(repeats, count)) / count


def table(title: str, headings: list[str], rows: list[list[str]]) -> None:
    """Prints a table."""
    print(f"\n{title}\n")
    print("| " + " | ".join(headings) + " |")
    print("|---" * len(headings) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")


def odds() -> None:
    """Exact odds next to icepool."""
    six, ten = icepool.d(6), icepool.d(10)
    peers = {
        "3d6": lambda: 3 @ six,
        "4d6kh3": lambda: six.highest(4, 3),
        "10d10kh5": lambda: ten.highest(10, 5),
        "100d6": lambda: 100 @ six,
        "1d20 + 7 >= 15": lambda: icepool.d(20) + 7 >= 15,
    }
    rows = []
    for rule, peer in peers.items():
        mine, theirs = dicec.odds(rule).mean, float(peer().mean())
        assert abs(mine - theirs) < 1e-9, (rule, mine, theirs)
        ours, others = best(lambda: dicec.odds(rule).mean), best(lambda: peer().mean())
        cells = [f"{ours * 1e6:.1f}", f"{others * 1e6:.1f}", f"{others / ours:.1f}x"]
        rows.append([f"`{rule}`", *cells])
    table("Exact odds, microseconds", ["rule", "dicec", "icepool", "ratio"], rows)


def samples() -> None:
    """Samples next to NumPy."""
    random = numpy.random.Generator(numpy.random.SFC64(1))
    two = numpy.add.outer(numpy.arange(1, 7), numpy.arange(1, 7)).ravel() + 3
    faces = numpy.stack(numpy.meshgrid(*[numpy.arange(1, 7)] * 4)).reshape(4, -1)
    four = faces.sum(0) - faces.min(0)

    def dice(result: type) -> numpy.ndarray:
        rolled = random.integers(1, 7, (4, SAMPLES), dtype=numpy.uint8)
        first, second, third, fourth = rolled
        low = numpy.minimum(numpy.minimum(first, second), numpy.minimum(third, fourth))
        return (first + second + third + fourth - low).astype(result, copy=False)

    def sums(result: type) -> numpy.ndarray:
        rolled = random.integers(1, 7, (2, SAMPLES), dtype=numpy.uint8)
        return (rolled[0] + rolled[1] + 3).astype(result, copy=False)

    def looked_up(values: numpy.ndarray, kind: type) -> numpy.ndarray:
        return values[random.integers(0, len(values), SAMPLES, dtype=kind)]

    def taken(values: numpy.ndarray, kind: type, mode: str) -> numpy.ndarray:
        return numpy.take(values, random.integers(0, len(values), SAMPLES, dtype=kind), mode=mode)

    def new(result: type) -> dict[str, list[Way]]:
        """Ways to make new arrays of a type."""
        made: dict[str, list[Way]] = {
            "4d6kh3": [partial(dice, result)],
            "2d6+3": [partial(sums, result)],
        }
        for rule, (values, kind) in wide.items():
            typed, small = values.astype(result), values.astype(numpy.uint8)
            made[rule] += [
                partial(looked_up, typed, kind),
                partial(taken, typed, kind, "clip"),
                partial(taken, typed, kind, "wrap"),
                lambda small=small, kind=kind: looked_up(small, kind).astype(result, copy=False),
            ]
        return made

    def into(there: numpy.ndarray, values: numpy.ndarray, kind: type) -> list[Way]:
        """Ways to fill an array that is there."""
        small = values.astype(numpy.uint8)

        def filled(mode: str) -> numpy.ndarray:
            drawn = random.integers(0, len(values), SAMPLES, dtype=kind)
            return numpy.take(values, drawn, out=there, mode=mode)

        def copied() -> numpy.ndarray:
            there[:] = looked_up(small, kind)
            return there

        return [lambda: filled("clip"), lambda: filled("wrap"), copied]

    wide = {"4d6kh3": (four, numpy.uint16), "2d6+3": (two, numpy.uint8)}
    for result in [numpy.int64, numpy.uint8]:
        sample = partial(dicec.sample, dtype=result)
        where = f"in new arrays of {result.__name__}"
        compared(where, new(result), lambda rule, **more: sample(rule, SAMPLES, **more))
    there = numpy.zeros(SAMPLES, dtype=numpy.int64)
    old = {rule: into(there, *table) for rule, table in wide.items()}
    compared("in an array of int64 that is there", old, partial(dicec.sample, out=there))


def compared(
    where: str,
    peers: dict[str, list[Way]],
    sample: Callable[..., numpy.ndarray],
) -> None:
    """Samples of rules, next to the fastest of several ways to take them with NumPy."""
    rows = []
    for rule, ways in peers.items():
        for way in ways:
            assert abs(way().mean() - dicec.odds(rule).mean) < 0.01, rule
        theirs = min(best(way, 3) for way in ways)
        ours = best(lambda: sample(rule), 3)
        alone = best(lambda: sample(rule, threads=1), 3)
        rows.append(
            [
                f"`{rule}`",
                f"{ours * 1e3:.1f}",
                f"{alone * 1e3:.1f}",
                f"{theirs * 1e3:.1f}",
                f"{theirs / ours:.1f}x",
                f"{theirs / alone:.1f}x",
            ]
        )
    headings = ["rule", "dicec", "on one thread", "NumPy", "ratio", "ratio on one thread"]
    table(f"{SAMPLES:,} samples {where}, milliseconds", headings, rows)


def batches() -> None:
    """A table next to the command."""
    numbers = numpy.arange(ROWS)
    frame = pyarrow.table({"Attack": numbers % 13, "AC": 10 + numbers // 13 % 16})
    rules = {"hit": "1d20 + [Attack] >= [AC]", "damage": "1d8 + [Attack]"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        pyarrow.parquet.write_table(frame, path)
        words = [word for name, rule in rules.items() for word in ("-e", f"{name}={rule}")]
        out = ["-o", str(Path(folder) / "odds.parquet")]
        line = [sys.executable, "-m", "dicec", "batch", str(path), *words, *out]
        theirs = best(lambda: subprocess.run(line, check=True), 3)
    rows = []
    for kind, given in [
        ("pyarrow", frame),
        ("pandas", frame.to_pandas()),
        ("Polars", polars.DataFrame(frame)),
    ]:
        ours = best(lambda: dicec.batch(given, rules), 3)
        rows.append([kind, f"{ours:.2f}", f"{theirs:.2f}", f"{ours / theirs:.2f}"])
    headings = ["table", "dicec.batch", "the command, Parquet to Parquet", "share of its time"]
    table(f"{ROWS:,} rows, two rules, seconds", headings, rows)


if __name__ == "__main__":
    odds()
    samples()
    batches()
