"""What tests share: the repository's files, and the command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def examples() -> Path:
    """The examples of the repository."""
    return ROOT / "examples"


@pytest.fixture
def command():
    """Runs ``python -m dicec`` with some words in the repository's root."""

    def run(*words: str) -> subprocess.CompletedProcess:
        line = [sys.executable, "-m", "dicec", *words]
        return subprocess.run(line, capture_output=True, text=True, cwd=ROOT, check=False)

    return run


@pytest.fixture
def command_json(command):
    """The document that a command prints with ``--json``."""

    def run(*words: str):
        done = command(*words, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
