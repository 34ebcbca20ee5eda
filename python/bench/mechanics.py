"""Exact odds of game mechanics next to icepool: the same distributions, and the time of each.

    maturin develop --release && pip install icepool==2.1.3 && python bench/mechanics.py

Each mechanic is asked from its text, and of icepool by its objects, in turns, each in a process that
has answered one other, small question before: the first call of a process pays for its memory, and
icepool keeps what it has computed. The best of several times counts. icepool gets the fastest of the forms that its documents teach, and where it has none
the fastest that we found. Needs `os.fork`. Prints a table of Markdown, the median and the least ratio.
"""

from __future__ import annotations

import os
import pickle
import statistics
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any

import dicec
import icepool
from icepool import MultisetEvaluator, Order, UnsupportedOrder, d

D6, D8, D10, D20 = d(6), d(8), d(10), d(20)

#: How often both are asked.
TIMES = 7

Peer = Callable[[], Any]


def script(body: str, before: str = "") -> str:
    """A script with one roll."""
    return f'{before} defroll "R" r() {{ {body} }}'


class Ascending(MultisetEvaluator):
    """An evaluator that sees the lowest outcome first."""

    def initial_state(self, order, outcomes, /, *sizes):
        if order != Order.Ascending:
            raise UnsupportedOrder
        return self.start

    start: Any = 0


class Farkle(MultisetEvaluator):
    """Points of sets of three, ones and fives."""

    def next_state(self, state, order, outcome, /, count):
        sets, rest = divmod(count, 3)
        each = 1000 if outcome == 1 else outcome * 100
        return (state or 0) + sets * each + rest * {1: 100, 5: 50}.get(outcome, 0)


class Spread(Ascending):
    """The highest face without the lowest."""

    start = (0, 0)

    def next_state(self, state, order, outcome, /, count):
        low, high = state
        return (low or outcome, outcome) if count else (low, high)

    def final_outcome(self, state, order, outcomes, /, *sizes):
        return state[1] - state[0]


class Rest(Ascending):
    """The highest face that one pool shows more often than another."""

    def next_state(self, state, order, outcome, /, mine, theirs):
        return outcome if mine > theirs else state


class Wild(MultisetEvaluator):
    """The largest set, to which ones belong too."""

    def next_state(self, state, order, outcome, /, count):
        wild, best = state or (0, 0)
        return (count, best) if outcome == 1 else (wild, max(best, count))

    def final_outcome(self, state, order, outcomes, /, *sizes):
        return sum(state)


class Again(MultisetEvaluator):
    """The largest set of dice of which those in no set were rolled again; these are the second."""

    def next_state(self, state, order, outcome, /, first, again):
        best, single = state or (0, 0)
        return max(best, (first if first > 1 else 0) + again), single + (first == 1)


def again(dice: int, die: icepool.Die) -> dict[int, Fraction]:
    """The odds of that, from those of each number of dice that are rolled again."""
    odds: dict[int, Fraction] = {}
    for number in range(dice + 1):
        pairs = Again().evaluate(die.pool(dice), die.pool(number))
        for (best, single), p in zip(pairs.outcomes(), pairs.probabilities(), strict=True):
            if single == number:
                odds[best] = odds.get(best, Fraction(0)) + p
    return odds


def risk(attackers: int, defenders: int) -> icepool.Die:
    """Whether the attackers win, who attack until they are alone."""

    @cache
    def exchange(a: int, b: int) -> icepool.Die:
        pairs = min(a, b)
        won = D6.pool(a).highest(pairs).sort_pair(">", D6.pool(b).highest(pairs))
        return won.size()

    @cache
    def wins(a: int, b: int) -> float:
        if b == 0 or a < 2:
            return float(b == 0)
        dice = min(3, a - 1), min(2, b)
        lost = min(dice)
        odds = exchange(*dice)
        total = odds.denominator()
        return sum(n / total * wins(a - lost + k, b - k) for k, n in odds.items())

    return {True: wins(attackers, defenders)}


CANCEL = """deffun left(a: int list, b: int list) : int {
    j = 0; left = 0;
    for (x : a) {
        while (j < len(b) && b[j] < x) { j++; }
        if (j < len(b)) { j++; } else { left++; }
    }
    return left;
}"""

RISK = """deffun battle(attackers: int, defenders: int) : bool {
    while (attackers > 1 && defenders > 0) {
        a = sorted(d.face by d.face descending for d : dice(d(min(3, attackers - 1), 6)));
        b = sorted(d.face by d.face descending for d : dice(d(min(2, defenders), 6)));
        for (i : 0..min(len(a), len(b)) - 1) {
            if (a[i] > b[i]) { defenders--; } else { attackers--; }
        }
    }
    return defenders <= 0;
}"""


def cancelled(a: int, b: int) -> str:
    return script(
        f"return left(sorted(roll(d6) for i : 1..{a}), sorted(roll(d6) for i : 1..{b}));", CANCEL
    )


def blocked(a: int, b: int) -> Peer:
    return lambda: D6.pool(a).max_pair_drop("<=", D6.pool(b)).size()


MECHANICS: dict[str, tuple[str, Peer]] = {
    "4d6kh3": ("4d6kh3", lambda: D6.highest(4, 3)),
    "10d10kh5": ("10d10kh5", lambda: D10.highest(10, 5)),
    "100d6": ("100d6", lambda: 100 @ D6),
    "advantage hits": ("max(1d20, 1d20) + 5 >= 15", lambda: D20.highest(2) + 5 >= 15),
    "6d6 explode": ("6d6!", lambda: 6 @ D6.explode(depth=20)),
    "eight dice beat six": (
        "8d6 count>=5 > 6d6 count>=5",
        lambda: 8 @ (D6 >= 5) > 6 @ (D6 >= 5),
    ),
    "hit, wound, save": (
        "((10d6 count>=3)d6 count>=4)d6 count<=4",
        lambda: (10 @ (D6 >= 3)).map(lambda n: n @ (D6 >= 4)).map(lambda n: n @ (D6 <= 4)),
    ),
    "the best of six scores": (
        "max(4d6kh3, 4d6kh3, 4d6kh3, 4d6kh3, 4d6kh3, 4d6kh3)",
        lambda: D6.highest(4, 3).highest(6),
    ),
    "the worst of six scores": (
        "sorted(4d6kh3 for i : 1..6)[0]",
        lambda: D6.highest(4, 3).lowest(6),
    ),
    "the fifth of eight": ("sorted(d6 for i : 1..8)[4]", lambda: D6.pool(8)[4]),
    "the seventh of twelve d20": ("sorted(d20 for i : 1..12)[6]", lambda: D20.pool(12)[6]),
    "the middle four of eight": (
        "let s = sorted(d6 for i : 1..8); s[2] + s[3] + s[4] + s[5]",
        lambda: D6.pool(8)[2:6].sum(),
    ),
    "hits of two pools": (
        script(
            "a = dice(10d6); b = dice(8d6);"
            " return count(x.face >= 5 for x : a) - count(y.face >= 5 for y : b);"
        ),
        lambda: 10 @ (D6 >= 5) - 8 @ (D6 >= 5),
    ),
    "the higher pool": (
        "let a = dice(14d10); let b = dice(12d10); max(x.face for x : a) > max(y.face for y : b)",
        lambda: D10.highest(14) > D10.highest(12),
    ),
    "the widest set of 9d6": (
        "let d = dice(9d6); max(count(x.face = y.face for x : d) for y : d)",
        lambda: D6.pool(9).largest_count(),
    ),
    "the widest set of 12d10": (
        "let d = dice(12d10); max(count(x.face = y.face for x : d) for y : d)",
        lambda: D10.pool(12).largest_count(),
    ),
    "different faces of 8d6": (
        "let d = dice(8d6); count(any(x.face = f for x : d) for f : 1..6)",
        lambda: D6.pool(8).unique().size(),
    ),
    "all faces of 9d6": (
        "let d = dice(9d6); all(any(x.face = f for x : d) for f : 1..6)",
        lambda: D6.pool(9).unique().size() == 6,
    ),
    "pairs of 10d6": (
        script("ds = dice(10d6); return sum(count(d.face == f for d : ds) / 2 for f : 1..6);"),
        lambda: (D6.pool(10) // 2).size(),
    ),
    "the longest run of 7d6": (
        script(
            "a = dice(7d6); n = 0; best = 0; for (f : 1..6) {"
            " n = any(x.face == f for x : a) ? n + 1 : 0; best = max(best, n); } return best;"
        ),
        lambda: D6.pool(7).largest_straight(),
    ),
    "farkle": (
        script(
            "xs = dice(6d6); n = 0; for (f : 1..6) { k = count(x.face == f for x : xs);"
            " n += k / 3 * (f == 1 ? 1000 : f * 100) + k % 3 * (f == 1 ? 100 : f == 5 ? 50 : 0);"
            " } return n;"
        ),
        lambda: Farkle().evaluate(D6.pool(6)),
    ),
    "ones are wild": (
        script(
            "xs = dice(8d6); wild = 0; best = 0; for (f : 1..6) {"
            " k = count(x.face == f for x : xs);"
            " if (f == 1) { wild = k; } else { best = max(best, k); } } return wild + best;"
        ),
        lambda: Wild().evaluate(D6.pool(8)),
    ),
    "the spread of 4d6 + 3d8": (
        "let d = dice(4d6 + 3d8); max(x.face for x : d) - min(x.face for x : d)",
        lambda: Spread().evaluate(icepool.Pool([D6] * 4 + [D8] * 3)),
    ),
    "equal faces, 10d6 and 8d6": (
        "let a = dice(10d6); let b = dice(8d6);"
        " sum(min(count(x.face = f for x : a), count(y.face = f for y : b)) for f : 1..6)",
        lambda: (D6.pool(10) & D6.pool(8)).size(),
    ),
    "the highest face that is left, 6d6 and 5d6": (
        "let a = dice(6d6); let b = dice(5d6);"
        " max(count(x.face = f for x : a) > count(y.face = f for y : b) ? f : 0 for f : 1..6)",
        lambda: Rest().evaluate(D6.pool(6), D6.pool(5)),
    ),
    "pairs of sorted dice, 10d6 and 8d6": (
        script(
            "a = sorted(d.face by d.face descending for d : dice(10d6));"
            " b = sorted(d.face by d.face descending for d : dice(8d6));"
            " return count(a[i] > b[i] for i : 0..7);"
        ),
        lambda: D6.pool(10).highest(8).sort_pair(">", D6.pool(8)).size(),
    ),
    "cancelled hits, 5d6 and 4d6": (cancelled(5, 4), blocked(5, 4)),
    "cancelled hits, 10d6 and 8d6": (cancelled(10, 8), blocked(10, 8)),
    "Risk, 3 against 2 dice": (
        script(
            "a = sorted(d.face by d.face descending for d : dice(3d6));"
            " b = sorted(d.face by d.face descending for d : dice(2d6));"
            " return (a[0] > b[0] ? 1 : 0) + (a[1] > b[1] ? 1 : 0);"
        ),
        lambda: D6.pool(3).highest(2).sort_pair(">", D6.pool(2)).size(),
    ),
    "Risk, 10 against 8 armies": (script("return battle(10, 8);", RISK), lambda: risk(10, 8)),
    "Risk, 25 against 20 armies": (script("return battle(25, 20);", RISK), lambda: risk(25, 20)),
    "the best three of nine, held": (
        "let d = dice(9d6kh3); sum(x.value for x : d if x.kept)",
        lambda: D6.highest(9, 3),
    ),
    "9d6 that are in no set once more": (
        script(
            "xs = [d.face for d : dice(9d6)];"
            " ys = [count(z == x for z : xs) > 1 ? x : roll(d6) for x : xs];"
            " return max(count(y == f for y : ys) for f : 1..6);"
        ),
        lambda: again(9, D6),
    ),
    "aces of five cards": (
        script(
            "all = [1 + i % 13 for i : 0..51]; hand = [draw(all) for i : 1..5];"
            " return count(x == 1 for x : hand);"
        ),
        lambda: icepool.Deck({c: 4 for c in range(1, 14)}).deal(5).keep_outcomes([1]).size(),
    ),
    "cards of one rank of five": (
        script(
            "all = [1 + i % 13 for i : 0..51]; hand = [draw(all) for i : 1..5];"
            " return max(count(x == y for x : hand) for y : hand);"
        ),
        lambda: icepool.Deck({c: 4 for c in range(1, 14)}).deal(5).largest_count(),
    ),
}


def mine(text: str) -> dict[Any, float]:
    """The chance of each outcome, from the text."""
    if "defroll" in text:
        odds = dicec.Script(text).odds().result
    else:
        odds = dicec.odds(text)
    return dict(odds.outcomes())


def theirs(peer: Peer) -> dict[Any, float]:
    """The same, of icepool."""
    odds = peer()
    if isinstance(odds, dict):
        return {outcome: float(p) for outcome, p in odds.items()}
    total = odds.denominator()
    return {outcome: n / total for outcome, n in odds.items()}


def compare(name: str, ours: dict[Any, float], others: dict[Any, float]) -> None:
    """Refuses odds that differ."""
    for outcome in ours.keys() | others.keys():
        if others.keys() == {True} and outcome is not True:
            continue
        left, right = ours.get(outcome, 0.0), others.get(outcome, 0.0)
        if abs(left - right) > 1e-9:
            sys.exit(f"{name}: P({outcome}) is {left}, and {right} by icepool")


def fresh(answer: Callable[[], dict[Any, float]]) -> tuple[float, dict[Any, float]]:
    """The seconds for an answer, and the answer, in a process that has answered only a small question
    before."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        mine(script("return sum(x for x : [d3, d4]);"))
        theirs(lambda: d(3) + d(4))
        begin = time.perf_counter()
        odds = answer()
        spent = time.perf_counter() - begin
        with os.fdopen(write, "wb") as out:
            pickle.dump((spent, odds), out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as found:
        told = found.read()
    os.waitpid(child, 0)
    return pickle.loads(told)


def main() -> None:
    rows, ratios = [], {}
    for name, (text, peer) in MECHANICS.items():
        ours, others = [], []
        for _ in range(TIMES):
            spent, right = fresh(partial(theirs, peer))
            others.append(spent)
            spent, odds = fresh(partial(mine, text))
            ours.append(spent)
            compare(name, odds, right)
        own, other = min(ours), min(others)
        ratios[name] = other / own
        cells = [name, f"{own * 1e3:.3f}", f"{other * 1e3:.3f}", f"{other / own:.1f}"]
        rows.append("| " + " | ".join(cells) + " |")
    print("| mechanic | dicec, ms | icepool, ms | ratio |\n|---|---|---|---|")
    print("\n".join(rows))
    least = min(ratios, key=ratios.__getitem__)
    print(f"\nmedian {statistics.median(ratios.values()):.1f}, least {ratios[least]:.1f} ({least})")


if __name__ == "__main__":
    main()
