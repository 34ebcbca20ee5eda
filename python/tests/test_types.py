"""The type stubs say what the package has."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import dicec
from dicec import _dicec

PYTHON = Path(__file__).resolve().parents[1]


def run(*words):
    done = subprocess.run(
        [sys.executable, "-m", *words], capture_output=True, text=True, cwd=PYTHON, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_are_those_of_the_native_module():
    run("mypy.stubtest", "dicec._dicec")


def test_the_package_and_its_examples_are_typed():
    run("mypy", "--strict", "dicec", "examples")


def test_everything_has_a_docstring():
    for name in dicec.__all__:
        thing = getattr(dicec, name)
        assert thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) else []:
            if not member.startswith("_") and callable(value):
                assert value.__doc__, f"{name}.{member}"


def test_stubs_have_the_docstrings_of_the_native_module():
    tree = ast.parse((PYTHON / "dicec" / "_dicec.pyi").read_text())
    compared = 0
    for owner in [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]:
        of_owner = _dicec if owner is tree else getattr(_dicec, owner.name)
        for node in owner.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                native = inspect.getdoc(getattr(of_owner, node.name))
                assert ast.get_docstring(node) == native, node.name
                compared += 1
    assert compared > 50
