"""The examples of the guide, docs/python.md, do what it says."""

import doctest


def test_the_guide(examples):
    guide = examples.parent / "docs" / "python.md"
    failed, tried = doctest.testfile(str(guide), module_relative=False)
    assert failed == 0
    assert tried > 20
