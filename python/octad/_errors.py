"""The exceptions of octad: one family, with code, place and path on each."""

from __future__ import annotations

import enum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ErrorCode(enum.StrEnum):
    """What went wrong, as data. `octad.error_codes()` lists them with their messages."""

    EMPTY_INPUT = "empty-input"
    UNEXPECTED_END = "unexpected-end"
    EXPECTED_VALUE = "expected-value"
    EXPECTED_KEY = "expected-key"
    EXPECTED_COLON = "expected-colon"
    EXPECTED_COMMA = "expected-comma"
    TRAILING_COMMA = "trailing-comma"
    TRAILING_DATA = "trailing-data"
    INVALID_LITERAL = "invalid-literal"
    LEADING_ZERO = "leading-zero"
    MISSING_DIGITS = "missing-digits"
    INVALID_ESCAPE = "invalid-escape"
    INVALID_UNICODE_ESCAPE = "invalid-unicode-escape"
    LONE_SURROGATE = "lone-surrogate"
    CONTROL_CHARACTER = "control-character"
    INVALID_UTF8 = "invalid-utf8"
    COMMENT_NOT_ALLOWED = "comment-not-allowed"
    UNTERMINATED_COMMENT = "unterminated-comment"
    NAN_NOT_ALLOWED = "nan-not-allowed"
    MISMATCHED_BRACKET = "mismatched-bracket"
    DUPLICATE_KEY = "duplicate-key"
    NUMBER_OVERFLOW = "number-overflow"
    INVALID_CHUNK = "invalid-chunk"
    INVALID_TAG = "invalid-tag"
    DEPTH_LIMIT = "depth-limit"
    SIZE_LIMIT = "size-limit"
    TOKEN_LIMIT = "token-limit"
    TEXT_LIMIT = "text-limit"
    DIGITS_LIMIT = "digits-limit"
    EXPANSION_LIMIT = "expansion-limit"
    OUTPUT_LIMIT = "output-limit"
    UNSUPPORTED_TYPE = "unsupported-type"
    CYCLE = "cycle"
    NOT_FINITE = "not-finite"
    KEY_TYPE = "key-type"
    KEY_CLASH = "key-clash"
    BYTES_NOT_ALLOWED = "bytes-not-allowed"
    INVALID_RAW = "invalid-raw"
    SIZE_CHANGED = "size-changed"
    UNREPRESENTABLE = "unrepresentable"
    INVALID_DATETIME = "invalid-datetime"
    WRITER_STATE = "writer-state"
    WRONG_KIND = "wrong-kind"
    OUT_OF_RANGE = "out-of-range"
    NOT_FOUND = "not-found"
    INVALID_POINTER = "invalid-pointer"
    CLOSED = "closed"
    INVALID_TAPE = "invalid-tape"
    WRONG_TYPE = "wrong-type"
    MISSING_FIELD = "missing-field"
    UNKNOWN_FIELD = "unknown-field"
    REPEATED_FIELD = "repeated-field"
    OUT_OF_BOUNDS = "out-of-bounds"
    WRONG_LENGTH = "wrong-length"
    NO_MATCH = "no-match"
    INVALID_VALUE = "invalid-value"
    MISSING_TAG = "missing-tag"
    UNKNOWN_TAG = "unknown-tag"
    NO_UNION_MEMBER = "no-union-member"
    UNRESOLVED_REFERENCE = "unresolved-reference"
    REJECTED = "rejected"
    INVALID_CONTRACT = "invalid-contract"


def error_codes() -> dict[ErrorCode, str]:
    """Every code with its message, in which `{holes}` stand for what an error fills in.

    >>> import octad
    >>> octad.error_codes()[octad.ErrorCode.EXPECTED_VALUE]
    'expected a value, found {found}'
    """
    from octad._core import error_table

    return {ErrorCode(name): template for name, _category, template in error_table()}


class Error(Exception):
    """The base of every exception that octad raises on its own account.

    Attributes:
        code: what went wrong, an `ErrorCode`.
        message: what was expected and what was found, without the place.
        offset: byte offset in the input, or None.
        line: line from 1, or None.
        column: column from 1, in characters, or None.
        path: path of the value at fault, such as `$.items[2].price`.
        pointer: the same as a JSON Pointer, such as `/items/2/price`. Where a text
            is at fault, both are bounded: beyond 1,000 characters or 200 steps, about, `…` stands
            for the steps in the middle, and for what follows the first 200 characters of a key.
        source_line: the part of the line around the fault, or None.
        filename: the file that was read, or None.
    """

    code: ErrorCode
    message: str
    offset: int | None
    line: int | None
    column: int | None
    path: str
    pointer: str
    source_line: str | None
    filename: str | None

    def __init__(
        self,
        message: str,
        *,
        code: ErrorCode | str,
        offset: int | None = None,
        line: int | None = None,
        column: int | None = None,
        path: str = "$",
        pointer: str = "",
        source_line: str | None = None,
        caret: int | None = None,
        filename: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = ErrorCode(code)
        self.message = message
        self.offset = offset
        self.line = line
        self.column = column
        self.path = path
        self.pointer = pointer
        self.source_line = source_line
        self.filename = filename
        self._caret = caret

    def __str__(self) -> str:
        where = []
        if self.filename is not None:
            where.append(self.filename)
        if self.line is not None:
            where.append(f"line {self.line}, column {self.column}")
        elif self.offset is not None:
            where.append(f"offset {self.offset}")
        if self.path != "$":
            where.append(f"at {_shortened(self.path)}")
        text = f"{self.message} ({', '.join(where)})" if where else self.message
        if self.source_line is not None and self._caret is not None:
            text += f"\n    {self.source_line}\n    {' ' * self._caret}^"
        return text

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {
            "code": str(self.code),
            "offset": self.offset,
            "line": self.line,
            "column": self.column,
            "path": self.path,
            "pointer": self.pointer,
            "source_line": self.source_line,
            "caret": self._caret,
            "filename": self.filename,
        }
        return _rebuild, (type(self), self.message, fields), self.__dict__ or None


def _shortened(path: str) -> str:
    """The two ends of a long path; `path` has more of it."""
    return path if len(path) <= 200 else f"{path[:90]}…{path[-90:]}"


def _rebuild(kind: type[Error], message: str, fields: dict[str, Any]) -> Error:
    return kind(message, **fields)


class DecodeError(Error, ValueError):
    """A text or byte string breaks the rules of its format."""


class ValidationError(DecodeError):
    """A well-formed value does not fit the type that was asked for.

    Attributes:
        expected: what the type asks for, in words.
        found: what stands there instead, in words.
        value: the value as it stands in the text, shortened; None where there is none to show.
    """

    expected: str
    found: str
    value: str | None

    def __init__(
        self,
        message: str,
        *,
        code: ErrorCode | str = ErrorCode.REJECTED,
        expected: str = "",
        found: str = "",
        value: str | None = None,
        **place: Any,
    ) -> None:
        super().__init__(message, code=code, **place)
        self.expected = expected
        self.found = found
        self.value = value


class LimitError(DecodeError):
    """A limit was reached while reading; the message names the limit."""


class EncodeError(Error, TypeError):
    """A Python value cannot be written."""


class LossError(EncodeError):
    """The target format cannot carry a value without losing something."""


class EditError(Error):
    """An edit would leave a text that no longer parses; nothing was changed."""


class StaleElementError(Error):
    """A handle was used for an edit after its value left the document."""


class KindError(Error, TypeError):
    """A value is of another kind than the one that was asked for."""


class RangeError(Error, OverflowError):
    """A number does not fit the range that was asked for."""


class PointerError(Error, LookupError):
    """A JSON Pointer leads nowhere, or is no JSON Pointer."""


class ClosedError(Error, ValueError):
    """A document was used after `close()`."""


class ContractError(Error, TypeError):
    """A type cannot be read or written, or says so in a way that contradicts itself."""


# Users know them by the package's name; so do tracebacks and pickles.
for _known in (
    ErrorCode,
    Error,
    DecodeError,
    ValidationError,
    LimitError,
    EncodeError,
    LossError,
    EditError,
    StaleElementError,
    KindError,
    RangeError,
    PointerError,
    ClosedError,
    ContractError,
):
    _known.__module__ = "octad"
del _known

_SPECIAL: dict[str, type[Error]] = {
    "wrong-kind": KindError,
    "out-of-range": RangeError,
    "not-found": PointerError,
    "invalid-pointer": PointerError,
    "closed": ClosedError,
    "invalid-tape": DecodeError,
    "invalid-contract": ContractError,
}

_LIMITS = frozenset(code for code in ErrorCode if code.endswith("-limit"))

_DATA = frozenset(
    {
        "wrong-type",
        "missing-field",
        "unknown-field",
        "repeated-field",
        "out-of-bounds",
        "wrong-length",
        "no-match",
        "invalid-value",
        "missing-tag",
        "unknown-tag",
        "no-union-member",
        "unresolved-reference",
        "rejected",
    }
)

_ENCODE = frozenset(
    {
        "unsupported-type",
        "cycle",
        "not-finite",
        "key-type",
        "key-clash",
        "bytes-not-allowed",
        "invalid-raw",
        "size-changed",
        "unrepresentable",
        "invalid-datetime",
        "writer-state",
    }
)


def make(*, code: str, message: str, writing: bool = False, **fields: Any) -> Error:
    """The exception for a code: what the compiled half raises.

    >>> make(code="expected-value", message="expected a value, found `x`", offset=0)
    DecodeError('expected a value, found `x`')
    """
    if writing or code in _ENCODE:
        kind: type[Error] = EncodeError
    elif code in _LIMITS:
        kind = LimitError
    elif code in _DATA:
        kind = ValidationError
    else:
        kind = _SPECIAL.get(code, DecodeError)
    return kind(message, code=code, **fields)
