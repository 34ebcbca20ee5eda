"""Exact odds of game mechanics next to icepool: the same distributions, and the time of each.

    maturin develop --release && pip install icepool==2.1.3 && python bench/mechanics.py

Each mechanic is asked from its text, and by new objects of icepool; both answer in turns, and the
best of several times counts. icepool gets the fastest of the forms that its documents teach.
"""

from __future__ import annotations

import statistics
import sys
import timeit
from collections.abc import Callable
from functools import cache
from typing import Any

import dicec
import icepool
from icepool import MultisetEvaluator, Order, d, map_function, multiset_function

D6, D8, D10, D20 = d(6), d(8), d(10), d(20)

# What a mechanic gives: the chance of each number.
Odds = dict[int, float]
Peer = Callable[[], Any]

#: How long both run at least, in seconds, and how often.
SECONDS, TIMES = 0.2, 5


def script(body: str, before: str = "") -> str:
    """A script with one roll."""
    return f'{before} defroll "R" r() {{ {body} }}'


class Cancelled(MultisetEvaluator):
    """Hits that are left if each blow of the second pool cancels one of at most its value."""

    def next_state(self, state, order, outcome, hits, blows):
        left, free = state or (0, 0)
        # From the highest face on, blows that have cancelled nothing yet.
        free += blows
        cancelled = min(free, hits)
        return left + hits - cancelled, free - cancelled

    def final_evaluation(self, final_state, *_):
        return final_state[0]

    def order(self):
        return Order.Descending


class Farkle(MultisetEvaluator):
    """Points of sets of three, ones and fives."""

    def next_state(self, state, order, outcome, count):
        sets, rest = divmod(count, 3)
        each = 1000 if outcome == 1 else outcome * 100
        single = {1: 100, 5: 50}.get(outcome, 0)
        return (state or 0) + sets * each + rest * single


class Spread(MultisetEvaluator):
    """The highest face without the lowest."""

    def next_state(self, state, order, outcome, count):
        low, high = state or (None, None)
        if count:
            low, high = (outcome if low is None else low), outcome
        return low, high

    def final_evaluation(self, final_state, *_):
        return final_state[1] - final_state[0]

    def order(self):
        return Order.Ascending


class Runs(MultisetEvaluator):
    """The length of the longest run of faces."""

    def next_state(self, state, order, outcome, count):
        best, run = state or (0, 0)
        run = run + 1 if count else 0
        return max(best, run), run

    def final_evaluation(self, final_state, *_):
        return final_state[0]

    def order(self):
        return Order.Ascending


class Gallery(MultisetEvaluator):
    """The highest face that one pool shows more often than another."""

    def next_state(self, state, order, outcome, mine, theirs):
        return outcome if mine > theirs else (state or 0)

    def order(self):
        return Order.Ascending


class Reroll(MultisetEvaluator):
    """The number of dice that are in no set."""

    def next_state(self, state, order, outcome, count):
        return (state or 0) + (count == 1)


@multiset_function
def widest(pool):
    return pool.largest_count()


@multiset_function
def matching(first, second):
    return (first & second).size()


@multiset_function
def losses(attack, defence):
    return attack.highest(2).sort_match("<=", defence, order=Order.Descending).size()


def battle(attackers: int, defenders: int) -> icepool.Die:
    """Whether the attackers of Risk win, who attack until they are alone."""

    @cache
    def exchange(a: int, b: int):
        pair = D6.pool(a).highest(min(a, b)).sort_match("<=", D6.pool(b).highest(min(a, b)))
        return list(pair.size().items()), 6 ** (a + b)

    @cache
    def wins(a: int, b: int) -> float:
        if b == 0:
            return 1.0
        if a < 2:
            return 0.0
        dice = min(3, a - 1), min(2, b)
        lost = min(dice)
        rolled, total = exchange(*dice)
        return sum(n / total * wins(a - k, b - lost + k) for k, n in rolled)

    return wins(attackers, defenders)


def kept_and_rolled(dice: int) -> icepool.Die:
    """The largest set after dice that are in no set were rolled again once."""

    class Both(MultisetEvaluator):
        def next_state(self, state, order, outcome, first, again):
            best, single = state or (0, 0)
            here = (first if first > 1 else 0) + again
            return max(best, here), single + (first == 1)

        def final_evaluation(self, final_state, *_):
            return final_state

    odds: dict[int, float] = {}
    total = 0.0
    for again in range(dice + 1):
        pairs = Both()(D6.pool(dice), D6.pool(again))
        if again == 0:
            pairs = Both()(D6.pool(dice), icepool.Pool({}))
        for (best, single), n in pairs.items():
            if single == again:
                p = n / pairs.denominator()
                odds[best] = odds.get(best, 0.0) + p
                total += p
    assert abs(total - 1) < 1e-9
    return odds


CANCEL = """deffun left(a: int list, b: int list) : int {
    j = 0; left = 0;
    for (x : a) { while (j < len(b) && b[j] < x) { j++; } if (j < len(b)) { j++; } else { left++; } }
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

MECHANICS: dict[str, tuple[str, Peer]] = {
    "the best three of four": ("4d6kh3", lambda: D6.highest(4, 3)),
    "the best five of ten": ("10d10kh5", lambda: D10.highest(10, 5)),
    "100 dice": ("100d6", lambda: 100 @ D6),
    "advantage": ("1d20 adv + 5 >= 15", lambda: D20.highest(2) + 5 >= 15),
    "two pools of hits": (
        "let a = dice(10d6); let b = dice(8d6); count(x.face >= 5 for x : a) - count(y.face >= 5 for y : b)",
        lambda: 10 @ (D6 >= 5) - 8 @ (D6 >= 5),
    ),
    "eight dice beat six": ("8d6 count>=5 > 6d6 count>=5", lambda: 8 @ (D6 >= 5) > 6 @ (D6 >= 5)),
    "the widest set of nine": (
        "let d = dice(9d6); max(count(x.face = y.face for x : d) for y : d)",
        lambda: D6.pool(9).largest_count(),
    ),
    "the widest set of twelve d10": (
        "let d = dice(12d10); max(count(x.face = y.face for x : d) for y : d)",
        lambda: D10.pool(12).largest_count(),
    ),
    "different faces of eight": (
        "let d = dice(8d6); count(any(x.face = f for x : d) for f : 1..6)",
        lambda: D6.pool(8).unique().size(),
    ),
    "pairs of ten": (
        "let d = dice(10d6); sum(floor(count(x.face = f for x : d) / 2) for f : 1..6)",
        lambda: (D6.pool(10) // 2).size(),
    ),
    "equal faces of two pools": (
        "let a = dice(10d6); let b = dice(8d6); sum(min(count(x.face = f for x : a), count(y.face = f for y : b)) for f : 1..6)",
        lambda: (D6.pool(10) & D6.pool(8)).size(),
    ),
    "the highest face that is not cancelled": (
        "let a = dice(6d6); let b = dice(5d6); max(count(x.face = f for x : a) > count(y.face = f for y : b) ? f : 0 for f : 1..6)",
        lambda: Gallery().evaluate(D6.pool(6), D6.pool(5)),
    ),
    "the fifth of eight": ("sorted(d6 for i : 1..8)[4]", lambda: D6.pool(8)[4].sum()),
    "the seventh of twelve d20": ("sorted(d20 for i : 1..12)[6]", lambda: D20.pool(12)[6].sum()),
    "the highest of many": (
        "let a = dice(14d10); let b = dice(12d10); max(x.face for x : a) > max(y.face for y : b)",
        lambda: D10.highest(14) > D10.highest(12),
    ),
    "the longest run of seven": (
        script(
            "a = dice(7d6); n = 0; best = 0; for (f : 1..6) { n = any(x.face == f for x : a) ? n + 1 : 0; best = max(best, n); } return best;"
        ),
        lambda: Runs().evaluate(D6.pool(7)),
    ),
    "farkle": (
        script(
            "xs = dice(6d6); n = 0; for (f : 1..6) { k = count(x.face == f for x : xs); n += k / 3 * (f == 1 ? 1000 : f * 100) + k % 3 * (f == 1 ? 100 : f == 5 ? 50 : 0); } return n;"
        ),
        lambda: Farkle().evaluate(D6.pool(6)),
    ),
    "three dice against two in Risk": (
        script(
            "a = sorted(d.face by d.face descending for d : dice(3d6)); b = sorted(d.face by d.face descending for d : dice(2d6)); return (a[0] > b[0] ? 0 : 1) + (a[1] > b[1] ? 0 : 1);"
        ),
        lambda: losses(D6.pool(3), D6.pool(2)),
    ),
    "Risk, 10 against 8": (script("return battle(10, 8);", RISK), lambda: battle(10, 8)),
    "Risk, 25 against 20": (script("return battle(25, 20);", RISK), lambda: battle(25, 20)),
    "cancelling dice, 5 against 4": (
        script("return left(sorted(roll(d6) for i : 1..5), sorted(roll(d6) for i : 1..4));", CANCEL),
        lambda: Cancelled().evaluate(D6.pool(5), D6.pool(4)),
    ),
    "cancelling dice, 10 against 8": (
        script(
            "a = dice(10d6); b = dice(8d6); free = 0; left = 0; for (f : 0..5) { free += count(y.face == 6 - f for y : b); hits = count(x.face == 6 - f for x : a); used = min(free, hits); free -= used; left += hits - used; } return left;"
        ),
        lambda: Cancelled().evaluate(D6.pool(10), D6.pool(8)),
    ),
    "dice that are in no set are rolled again": (
        script(
            "xs = [d.face for d : dice(9d6)]; ys = [count(z == x for z : xs) > 1 ? x : roll(d6) for x : xs]; return max(count(y == f for y : ys) for f : 1..6);"
        ),
        lambda: kept_and_rolled(9),
    ),
    "a mixed pool": (
        "let d = dice(4d6 + 3d8); max(x.face for x : d) - min(x.face for x : d)",
        lambda: Spread().evaluate(icepool.Pool([D6] * 4 + [D8] * 3)),
    ),
    "five cards, aces": (
        script(
            "all = [1 + i % 13 for i : 0..51]; hand = [draw(all) for i : 1..5]; return count(x == 1 for x : hand);"
        ),
        lambda: icepool.Deck({c: 4 for c in range(1, 14)}).deal(5).keep_outcomes([1]).size(),
    ),
    "exploding dice": ("6d6! >= 30", lambda: 6 @ D6.explode(depth=18) >= 30),
    "the best of six scores": (
        "max(4d6kh3, 4d6kh3, 4d6kh3, 4d6kh3, 4d6kh3, 4d6kh3)",
        lambda: D6.highest(4, 3).highest(6),
    ),
    "hit, wound, save": (
        "((10d6 count>=3)d6 count>=4)d6 count<=4",
        lambda: (10 @ (D6 >= 3)).map(lambda n: n @ (D6 >= 4)).map(lambda n: n @ (D6 <= 4)),
    ),
    "the sum of the middle four of eight": (
        "let s = sorted(d6 for i : 1..8); s[2] + s[3] + s[4] + s[5]",
        lambda: D6.pool(8).middle(4).sum(),
    ),
    "the worst of six scores": (
        "sorted(4d6kh3 for i : 1..6)[0]",
        lambda: D6.highest(4, 3).lowest(6),
    ),
}
