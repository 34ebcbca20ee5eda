#!/usr/bin/env python3
"""Rows a second on this machine, with one executor and with two. Prints a table of Markdown.

    cargo build --release --manifest-path sql/Cargo.toml --workspace
    python3 cluster/bench/scale.py sql/target/release

The scheduler and the executors are processes here, each executor with one task at a time on a core
of its own; the scheduler and who asks use all cores. Every answer is compared with the one of this
machine alone.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROWS = 200_000

STATEMENTS = {
    "`dice_p`": "dice_p('1d200 + [Attack] >= [Armour] * 10', Attack, Armour)",
    "`dice_mean` of a pool": "dice_mean('6d6! + [Attack] + [Armour]', Attack, Armour)",
    "`dice_sim`, 20,000 trials":
        "dice_sim('6d6 + [Attack] + [Armour]', 20000, 11, Attack, Armour)['mean']",
}


def free_port() -> int:
    """A port that nobody uses at the moment."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(port: int) -> None:
    """Waits until somebody listens, at most a minute."""
    for _ in range(600):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.1)
    raise TimeoutError(f"nobody listens at port {port}")


@contextlib.contextmanager
def cluster(programs: Path, folder: Path, executors: int) -> Iterator[str]:
    """A cluster on this machine; its address."""
    processes = []

    def start(port: int, program: str, *words: str, core: int | None = None) -> None:
        log = (folder / f"{program}-{port}.log").open("w")
        cores = os.sched_getaffinity(0) if core is None else [core]
        line = ["taskset", "-c", ",".join(map(str, cores)), programs / program, *words]
        processes.append(subprocess.Popen(line, stdout=log, stderr=log))
        wait_for(port)

    try:
        port = free_port()
        address = f"127.0.0.1:{port}"
        start(port, "dicec-scheduler", "--bind", address, "--files", str(folder))
        for core in range(executors):
            rows, tasks = free_port(), free_port()
            kept = Path(tempfile.mkdtemp(dir=folder))
            ports = ["--port", str(rows), "--task-port", str(tasks)]
            place = ["--scheduler", address, "--tasks", "1", "--folder", str(kept)]
            place += ["--files", str(folder)]
            start(rows, "dicec-executor", *place, *ports, core=core)
        yield address
    finally:
        for process in processes:
            process.kill()
            process.wait()


def table(path: Path, different: int) -> None:
    """A table of attacks with this many different rows."""
    with path.open("w") as file:
        file.write("Id,Attack,Armour\n")
        for row in range(ROWS):
            kind = row * 7919 % different
            file.write(f"{row},{kind % 500},{10 + kind // 500}\n")


def asked(programs: Path, path: Path, column: str, out: Path, *words: str) -> float:
    """The seconds that a statement takes; its rows are in a file then."""
    statement = f"SELECT Id, {column} AS answer FROM '{path}' ORDER BY Id"
    start = time.perf_counter()
    line = [programs / "dicec-sql", *words, "-o", str(out), statement]
    subprocess.run(line, check=True)
    return time.perf_counter() - start


def main(programs: Path) -> None:
    kinds = {"500": 500, "all": ROWS}
    paths, rows, expected = {}, {}, {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind, different in kinds.items():
            paths[kind] = folder / f"{different}.csv"
            table(paths[kind], different)
        cases = [(title, kind) for title in STATEMENTS for kind in kinds]

        def work(*words: str) -> None:
            for case in cases:
                title, kind = case
                out = folder / "answer.csv"
                # Once: an executor remembers rows, and a new command does not.
                seconds = asked(programs, paths[kind], STATEMENTS[title], out, *words)
                text = out.read_bytes()
                assert expected.setdefault(case, text) == text, case
                rows.setdefault(case, []).append(f"{ROWS / seconds:,.0f}")

        work()
        for executors in (1, 2):
            with cluster(programs, folder, executors) as address:
                work("--cluster", address)
    print("| statement | different rows | this machine | one executor | two executors |")
    print("|---|---|---|---|---|")
    for (title, kind), figures in rows.items():
        print("| " + " | ".join([title, kind, *figures]) + " |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
