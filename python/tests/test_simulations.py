"""Simulations and samples: the same seed, the same rolls; progress, Ctrl-C and other threads."""

import signal
import threading

import dicec
import numpy
import pytest


def test_a_seed_repeats_and_threads_do_not_matter():
    one = dicec.sim("4d6kh3", trials=200_000, seed=7, threads=1)
    two = dicec.sim("4d6kh3", trials=200_000, seed=7, threads=2)
    assert one.outcomes() == two.outcomes()
    assert (one.trials, one.seed, one.exact) == (200_000, 7, False)
    other = dicec.sim("4d6kh3", trials=200_000, seed=8)
    assert one.outcomes() != other.outcomes()
    assert dicec.sim("1d6", trials=10).seed != dicec.sim("1d6", trials=10).seed


def test_a_simulation_is_near_the_exact_odds():
    rule, trials = "4d6kh3 >= 15", 1_000_000
    exact = dicec.odds(rule).p()
    sampled = dicec.sim(rule, trials=trials, seed=1)
    # Five standard errors; the seed is fixed.
    assert abs(sampled.p() - exact) < 5 * (exact * (1 - exact) / trials) ** 0.5
    low, high = sampled.interval()
    assert low < sampled.p() < high


def test_documents_are_those_of_the_command(command_json):
    clock = {"elapsed_ns", "trials_per_second"}
    document = command_json("sim", "3d6", "-n", "50000", "--seed", "3")
    mine = dicec.sim("3d6", trials=50_000, seed=3).to_dict()
    assert document.keys() == mine.keys()
    for key in document.keys() - clock:
        assert mine[key] == document[key], key


def test_a_precision_is_reached():
    odds = dicec.sim("20d100", precision=0.5, seed=1)
    assert odds.to_dict()["ended"] == "precision"
    assert 1.96 * odds.stderr <= 0.5


def test_samples_are_the_trials_of_the_simulation():
    rule, trials = "4d6kh3", 300_000
    array = dicec.sample(rule, trials, seed=11)
    assert (array.dtype, array.shape) == (numpy.int64, (trials,))
    values, counts = numpy.unique(array, return_counts=True)
    sampled = dicec.sim(rule, trials=trials, seed=11)
    found = [(value, count / trials) for value, count in zip(values, counts)]
    assert found == sampled.outcomes()


def test_samples_fill_an_array_that_is_there():
    for rule, kind in [("4d6kh3", "int64"), ("2d6 / 4", "float64"), ("1d20 >= 11", "bool")]:
        dialect = "notation" if "/" in rule else None
        out = numpy.empty(3000, dtype=kind)
        given = dicec.sample(rule, seed=3, out=out, dialect=dialect)
        assert given is out
        assert (out == dicec.sample(rule, 3000, seed=3, dialect=dialect)).all()
    assert dicec.sample("3d6", 3, out=numpy.empty(3, dtype="int64")).size == 3
    row = numpy.empty(8, dtype="int64")
    locked = numpy.empty(8, dtype="int64")
    locked.flags.writeable = False
    square = numpy.empty((2, 4), dtype="int64")
    assert (dicec.sample("3d6", seed=3, out=square).ravel() == dicec.sample("3d6", 8, seed=3)).all()
    for out in [row[::2], row.reshape(2, 4).T, locked]:
        with pytest.raises(ValueError, match="a contiguous array"):
            dicec.sample("3d6", out=out)
    with pytest.raises(ValueError, match=r"size is 9, but out= is of shape \(8,\)"):
        dicec.sample("3d6", 9, out=row)
    with pytest.raises(ValueError, match="dtype is int32, but out= is an array of int64"):
        dicec.sample("3d6", out=row, dtype="int32")
    with pytest.raises(TypeError, match="out= is an array of float32, but the results"):
        dicec.sample("3d6", out=numpy.empty(8, dtype="float32"))
    with pytest.raises(TypeError, match="array of NumPy, and this is list"):
        dicec.sample("3d6", out=[1, 2])
    with pytest.raises(TypeError, match="cannot go to out="):
        dicec.sample("d{hit,miss}", out=row)
    with pytest.raises(TypeError, match="needs a size"):
        dicec.sample("3d6")


def test_samples_of_other_types_are_the_same():
    samples = dicec.sample("3d6 - 4", 600_000, seed=5)
    for kind in ["int64", "int32", "int16", "int8", "float64"]:
        array = dicec.sample("3d6 - 4", 600_000, seed=5, dtype=kind)
        assert array.dtype == numpy.dtype(kind)
        assert (array == samples).all()
    dice = dicec.sample("3d6", 1000, seed=5)
    for kind in [numpy.uint8, numpy.uint16, numpy.uint32]:
        array = numpy.empty(1000, dtype=kind)
        assert (dicec.sample("3d6", seed=5, out=array) == dice).all()
        assert array.dtype == kind


def test_samples_that_do_not_fit_are_told():
    # The first of them, for any number of threads.
    rule = "100d6 - 145"
    samples = dicec.sample(rule, 600_000, seed=9)
    assert samples.max() > 255 > samples[0]
    first = (samples > 255).argmax()
    told = f"the result {samples[first]} does not fit in the array .trial {first} of seed 9., whose"
    for threads in [1, 2]:
        with pytest.raises(OverflowError, match=told):
            dicec.sample(rule, 600_000, seed=9, dtype="uint8", threads=threads)
    with pytest.raises(OverflowError, match="whose type is int8: choose a wider dtype="):
        dicec.sample(rule, 600_000, seed=9, dtype="int8")
    with pytest.raises(OverflowError, match="the result -"):
        dicec.sample("1d4 - 3", 100, seed=9, dtype="uint8", dialect="notation")
    for rule, kind in [("3d6", "bool"), ("3d6", "float32"), ("1d20 >= 11", "int64")]:
        with pytest.raises(TypeError, match=f"dtype= is {kind}, but the results of this rule can"):
            dicec.sample(rule, 10, dtype=kind)
    with pytest.raises(TypeError, match="names have no dtype="):
        dicec.sample("d{hit,miss}", 10, dtype="int8")


def test_samples_have_types():
    check = dicec.sample("1d20 + [Attack] >= 15", 1000, {"Attack": 6}, seed=1)
    assert check.dtype == numpy.bool_
    assert 500 < check.sum() < 700
    floats = dicec.sample("2d6 / 4", 1000, seed=1, dialect="notation")
    assert floats.dtype == numpy.float64
    assert set(floats * 4) <= set(range(2, 13))
    names = dicec.sample("1d20 + 7 vs 15", 1000, seed=1)
    assert set(names) == {"Critical Failure", "Failure", "Success", "Critical Success"}
    assert set(dicec.sample("d{hit,miss}", 100, seed=1)) == {"hit", "miss"}
    assert dicec.sample("3d6", 0).shape == (0,)
    with pytest.raises(MemoryError):
        dicec.sample("3d6", 1 << 50)


def test_progress_is_told_and_can_end_a_simulation():
    told = []

    def stop(done, most):
        told.append((done, most))
        return False

    odds = dicec.sim("3d6", trials=10**12, seed=1, progress=stop)
    assert odds.interrupted
    assert 0 < odds.trials < 10**12
    assert told[0][1] == 10**12
    whole = []
    dicec.sim("3d6", trials=1000, progress=lambda done, most: whole.append(done))
    assert whole == [1000]


def test_an_exception_of_the_callback_ends_a_simulation():
    def wrong(_done, _most):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        dicec.sim("3d6", trials=10**12, progress=wrong)


def test_ctrl_c_raises_keyboard_interrupt():
    # A shell that runs the tests in the background has them ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def press(_done, _most):
        signal.raise_signal(signal.SIGINT)

    try:
        with pytest.raises(KeyboardInterrupt):
            dicec.sim("3d6", trials=10**12, progress=press)
    finally:
        signal.signal(signal.SIGINT, before)


def test_other_threads_run_meanwhile():
    started, ran = threading.Event(), threading.Event()

    def other():
        started.wait()
        ran.set()

    thread = threading.Thread(target=other)
    thread.start()

    def until_it_ran(_done, _most):
        started.set()
        return not ran.is_set()

    odds = dicec.sim("3d6", trials=10**12, progress=until_it_ran)
    thread.join()
    assert odds.interrupted


def test_numbers_that_no_simulation_has():
    for keywords, message in [
        ({"trials": 0}, "at least 1 trial"),
        ({"precision": 0.0}, "greater than 0"),
        ({"precision": float("nan")}, "greater than 0"),
        ({"trials": 5, "precision": 0.1}, "not both"),
        ({"threads": 0}, "1 to 256 threads"),
    ]:
        with pytest.raises(ValueError, match=message):
            dicec.sim("3d6", **keywords)
    with pytest.raises(OverflowError):
        dicec.sim("3d6", trials=-1)


def test_rolls(command_json):
    roll = dicec.roll("(1d8 + [Strength]) * 2", Strength=4, seed=4)
    document = command_json("roll", "(1d8 + [Strength]) * 2", "-r", "Strength=4", "--seed", "4")
    assert roll.to_dict() == document
    assert roll.result == document["total"]
    assert str(roll) == roll.text == document["rendered"]
    given = dicec.roll("2d20kh1 + 5 vs 20", faces=[7, 18])
    assert (given.result, given.seed) == ("Success", None)
    assert dicec.roll("1d6 > 3", faces=[4]).result is True
    again = dicec.roll("10d6")
    assert dicec.roll("10d6", seed=again.seed).text == again.text
    with pytest.raises(dicec.DiceError, match="faces"):
        dicec.roll("3d6", faces=[1])
    with pytest.raises(ValueError, match="3 faces were given, and 1 dice are rolled"):
        dicec.roll("1d6", faces=[1, 2, 3])
    with pytest.raises(TypeError, match="a seed or faces"):
        dicec.roll("1d6", faces=[1], seed=3)


def test_ctrl_c_ends_exact_odds():
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            dicec.odds("300d20!kh150", limits={"work": 10**15})
    finally:
        signal.signal(signal.SIGALRM, previous)
