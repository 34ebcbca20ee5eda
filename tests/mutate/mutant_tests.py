"""Tests, each in a process of its own: which there are, how long they take, and which mutants they reach."""

import concurrent.futures
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import threading
import time

from mutant_tree import WORK

# These run for three seconds each on what chance gives.
LEFT_OUT = re.compile("engines smoke::")
# What a test may take of the machine's memory: a mutant may ask for all of it.
MEMORY = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


class Test:
    """A test of a suite, which a process of its own runs."""

    def __init__(self, suite, binary, folder, name):
        self.name = f"{suite} {name}"
        self.command = [binary, "--exact", name, "--test-threads", "1"]
        self.folder = folder
        self.seconds = 0.0
        self.reached = set()


class Runner:
    """Runs tests, several at a time, and ends them when it is stopped."""

    def __init__(self):
        self.stopped = threading.Event()
        self.running = set()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("DICEC_", "PROPTEST_"))}
        self.env = dict(
            kept,
            PROPTEST_RNG_SEED="1",
            PROPTEST_DISABLE_FAILURE_PERSISTENCE="1",
            PROPTEST_MAX_SHRINK_ITERS="0",
            RUST_BACKTRACE="0",
        )

    def run(self, test, timeout, **env):
        """Whether a test passes, fails or takes too long."""
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        ran = subprocess.Popen(test.command, cwd=test.folder, env={**self.env, **env}, start_new_session=True, **quiet)
        self.running.add(ran)
        try:
            resource.prlimit(ran.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.prlimit(ran.pid, resource.RLIMIT_CORE, (0, 0))
        except ProcessLookupError:
            pass  # It is over.
        try:
            return "fails" if ran.wait(timeout) else "passes"
        except subprocess.TimeoutExpired:
            kill(ran)
            return "takes too long"
        finally:
            self.running.discard(ran)

    def stop(self):
        self.stopped.set()
        for ran in list(self.running):
            kill(ran)

    def each(self, jobs, work, items):
        """Does some work for all items, and stops if the user does."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            try:
                for done in concurrent.futures.as_completed([pool.submit(work, item) for item in items]):
                    done.result()
            except BaseException:
                self.stop()
                raise


def kill(ran):
    """Ends a test and what it has started, unless it is over: others may have its number then."""
    if ran.poll() is None:
        os.killpg(ran.pid, signal.SIGKILL)
        ran.wait()


def listed(messages):
    """The tests of the binaries that cargo has built."""
    tests = []
    for message in messages:
        if message["reason"] != "compiler-artifact" or not message["executable"] or not message["profile"]["test"]:
            continue
        binary, folder = message["executable"], pathlib.Path(message["manifest_path"]).parent
        names = subprocess.run([binary, "--list", "--format", "terse"], cwd=folder, check=True, capture_output=True, text=True)
        for line in names.stdout.splitlines():
            test = Test(message["target"]["name"], binary, folder, line.removesuffix(": test"))
            if line.endswith(": test") and not LEFT_OUT.match(test.name):
                tests.append(test)
    return tests


def measured(runner, jobs, tests, tree):
    """The tests that pass, with their times and what they reach: from the last run if that had the same source."""
    path = WORK / "reached.json"
    known = json.loads(path.read_text()) if path.is_file() else {}
    if known.get("tree") != tree:
        known = {"tree": tree}

    def measure(test):
        if runner.stopped.is_set() or test.name in known:
            return
        reached = WORK / "reached" / re.sub(r"\W+", "-", test.name)
        reached.unlink(missing_ok=True)
        start = time.monotonic()
        outcome = runner.run(test, 3600, DICEC_REACHED=str(reached))
        seconds = time.monotonic() - start
        numbers = sorted({int(line) for line in reached.read_text().split()}) if reached.is_file() else []
        if not runner.stopped.is_set():
            known[test.name] = [outcome, seconds, numbers]

    (WORK / "reached").mkdir(exist_ok=True)
    try:
        runner.each(jobs, measure, tests)
    finally:
        path.write_text(json.dumps(known))
    for test in tests:
        outcome, test.seconds, numbers = known[test.name]
        test.reached = set(numbers)
        if outcome != "passes":
            print(f"left out, as it {outcome} without a mutant: {test.name}")
    return [test for test in tests if known[test.name][0] == "passes"]
