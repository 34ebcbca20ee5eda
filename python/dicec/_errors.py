"""What is wrong with a rule, a script, a table or an encounter."""

from __future__ import annotations

from typing import NamedTuple, Optional


class Finding(NamedTuple):
    """One thing that is wrong, or worth knowing."""

    #: A stable code, such as ``"D0101"``; ``python -m dicec explain D0101`` says what it means.
    code: str
    #: What is wrong, in one sentence.
    message: str
    #: Where in ``text`` it is: the first character and the one after the last.
    span: Optional[tuple[int, int]]
    #: What to do about it.
    help: Optional[str]
    #: The text that it is about.
    text: Optional[str]


class DiceError(ValueError):
    """Something is wrong with a question, or it has no answer.

    Its text shows each finding in the rule or the script. ``code``, ``message``, ``span`` and
    ``help`` are those of the first; ``findings`` has all of them.
    """

    def __init__(self, text: str, findings: list[Finding]) -> None:
        super().__init__(text, findings)
        self.findings = findings

    @property
    def code(self) -> str:
        """The stable code of the first finding."""
        return self.findings[0].code

    @property
    def message(self) -> str:
        """What is wrong, in one sentence."""
        return self.findings[0].message

    @property
    def span(self) -> Optional[tuple[int, int]]:
        """Where in the rule or the script it is, as indices of characters."""
        return self.findings[0].span

    @property
    def help(self) -> Optional[str]:
        """What to do about it."""
        return self.findings[0].help

    def __str__(self) -> str:
        return str(self.args[0])


class WrongAnswer(DiceError):
    """An answer that is wrong, and so is not given: its check refutes it.

    This is a fault of dicec, never of the rule. ``help`` has the command that looks for the cause;
    ``limits={"check": 0}`` gives the answer all the same.
    """


class DiceWarning(UserWarning):
    """Something that is worth knowing about an answer."""
