"""`Problem`: one fault of a text, as `check` reports it."""

from __future__ import annotations

from dataclasses import dataclass

from octad._errors import ErrorCode


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a text. The fields are those of `octad.Error`, and of `octad.ValidationError`
    where a value does not fit a type.

    >>> import octad
    >>> problem = octad.json.check("[1, tru]")[0]
    >>> problem.code, problem.line, problem.column, problem.path
    (<ErrorCode.INVALID_LITERAL: 'invalid-literal'>, 1, 5, '$[1]')
    """

    code: ErrorCode
    message: str
    offset: int
    line: int
    column: int
    path: str
    pointer: str
    source_line: str | None = None
    expected: str | None = None
    found: str | None = None
    value: str | None = None

    def __str__(self) -> str:
        at = "" if self.path == "$" else f", at {self.path}"
        return f"line {self.line}, column {self.column}{at}: {self.message} [{self.code}]"


Problem.__module__ = "octad"


def make(
    *,
    code: str,
    message: str,
    offset: int,
    line: int,
    column: int,
    path: str,
    pointer: str,
    source_line: str | None = None,
    caret: int | None = None,
    expected: str | None = None,
    found: str | None = None,
    value: str | None = None,
) -> Problem:
    """A problem from the fields that the compiled half gives; a caret has no place in a list."""
    return Problem(
        ErrorCode(code),
        message,
        offset,
        line,
        column,
        path,
        pointer,
        source_line,
        expected,
        found,
        value,
    )
