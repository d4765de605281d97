"""Every reading option: its default, each of its values, what it lets in, what it still refuses.

Owns the options of the reader; limits have a file of their own.
"""

from __future__ import annotations

import decimal
import math
from decimal import Decimal
from typing import Any

import octad
import pytest
from octad import json

from tests.support import assert_same, error_of, read, refuse

# duplicates

TWICE = b'{"a": 1, "b": 2, "a": {"x": 3}, "b": 4}'


def test_last_duplicate_wins_by_default() -> None:
    assert_same(read(TWICE), {"a": {"x": 3}, "b": 4})
    assert_same(read(TWICE, duplicates="last"), {"a": {"x": 3}, "b": 4})


def test_first_duplicate_wins_on_demand() -> None:
    assert_same(read(TWICE, duplicates="first"), {"a": 1, "b": 2})
    assert_same(
        read(b'[{"k": [1], "k": 2}, {"k": 3, "k": 4}]', duplicates="first"), [{"k": [1]}, {"k": 3}]
    )


def test_duplicates_are_refused_on_demand() -> None:
    error = refuse(TWICE, duplicates="error")
    assert (error.code, error.offset) == ("duplicate-key", TWICE.rindex(b'"a"'))
    spelled = b'{"\\u0061": 1, "a": 2}'
    assert read(spelled) == {"a": 2}
    assert refuse(spelled, duplicates="error").offset == 14
    surrogates = '{"😀": 1, "\\ud83d\\ude00": 2}'
    assert refuse(surrogates, duplicates="error").code == "duplicate-key"
    fine = b'[{"a": 1}, {"a": {"a": {"a": 1}}}, {"A": 1, "a": 2, "a ": 3, "": 4}]'
    read(fine, duplicates="error")
    normal_forms = '{"é": 1, "e\u0301": 2}'
    assert len(read(normal_forms, duplicates="error")) == 2


@pytest.mark.feature(223)
def test_duplicates_in_wide_objects() -> None:
    for width in (2, 8, 9, 39, 40, 41, 64, 1000, 30_000):
        keys = [f'"key{index}": {index}' for index in range(width)]
        unique = "{" + ", ".join(keys) + "}"
        assert len(json.loads(unique, duplicates="error")) == width
        for again in (0, width // 2, width - 1):
            text = "{" + ", ".join([*keys, f'"key{again}": -1']) + "}"
            error = error_of(json.loads, text, duplicates="error")
            assert (error.code, error.offset) == ("duplicate-key", text.rindex('"' + f"key{again}"))
            assert json.loads(text)[f"key{again}"] == -1
            assert json.loads(text, duplicates="first")[f"key{again}"] == again


def test_a_document_keeps_all_duplicates() -> None:
    document = json.parse(TWICE)
    assert [key for key, _ in document.root.pairs()] == ["a", "b", "a", "b"]
    assert len(document) == 2
    assert list(document) == ["a", "b"]
    assert document["b"] == 4
    assert document["a"]["x"] == 3
    first = json.parse(TWICE, duplicates="first")
    assert first["b"] == 2
    assert first["a"] == 1
    assert len(first) == 2
    assert first.dumps() == document.dumps() == TWICE


# surrogates

LONE = [
    (r'"\ud800"', "\ud800"),
    (r'"\udfff"', "\udfff"),
    (r'"a\ud83db"', "a\ud83db"),
    (r'"\ude00\ud83d"', "\ude00\ud83d"),
    (r'"\ud83d\ud83d\ude00"', "\ud83d😀"),
    (r'"é\ud800日"', "é\ud800日"),
    (r'"\ud800\u0041"', "\ud800A"),
    (r'"\ud800\n\udc00"', "\ud800\n\udc00"),
]


@pytest.mark.feature(95)
@pytest.mark.parametrize(("text", "kept"), LONE)
def test_lone_surrogates(text: str, kept: str) -> None:
    assert refuse(text).code == "lone-surrogate"
    assert refuse(text, surrogates="error").code == "lone-surrogate"
    got = read(text, surrogates="keep")
    assert got == kept
    replaced = "".join("\ufffd" if 0xD800 <= ord(c) <= 0xDFFF else c for c in kept)
    assert read(text, surrogates="replace") == replaced
    assert json.dumps(json.parse(text, surrogates="keep")) == text.encode()
    assert read(f"{{{text}: 1}}", surrogates="keep") == {kept: 1}
    assert read(f"{{{text}: 1}}", surrogates="replace") == {replaced: 1}


@pytest.mark.feature(95)
def test_surrogates_in_pairs_need_no_policy() -> None:
    for policy in ("error", "replace", "keep"):
        assert read(r'["\ud83d\ude00", "\uD83D\uDE00"]', surrogates=policy) == ["😀", "😀"]


@pytest.mark.feature(95)
def test_surrogate_bytes_are_invalid_utf8_under_every_policy() -> None:
    for policy in ("error", "replace", "keep"):
        assert refuse(b'"\xed\xa0\x80"', surrogates=policy).code == "invalid-utf8"


# nan

WORDS = [(b"NaN", math.nan), (b"Infinity", math.inf), (b"-Infinity", -math.inf)]


@pytest.mark.feature(98)
@pytest.mark.parametrize(("word", "number"), WORDS)
def test_words_for_special_floats(word: bytes, number: float) -> None:
    for text, offset in ((word, 0), (b"[1, " + word + b"]", 4), (b'{"a":' + word + b"}", 5)):
        for options in ({}, {"nan": "error"}):
            error = refuse(text, **options)
            assert (error.code, error.offset) == ("nan-not-allowed", offset)
    assert_same(read(word, nan="literal"), number)
    assert_same(read(b"[" + word + b"]", nan="literal"), [number])
    assert_same(read(b'{"a": ' + word + b', "b": 1}', nan="literal"), {"a": number, "b": 1})
    assert read(word, nan="null") is None
    assert read(b"[" + word + b",1]", nan="null") == [None, 1]
    document = json.parse(b"[ " + word + b" ]", nan="literal")
    assert document.dumps() == b"[ " + word + b" ]"
    assert_same(document[0], number)


@pytest.mark.feature(98)
@pytest.mark.parametrize(
    "word",
    [
        b"nan",
        b"NAN",
        b"inf",
        b"Inf",
        b"infinity",
        b"-inf",
        b"+Infinity",
        b"Na",
        b"NaNs",
        b"Infinit",
        b"-Infinit",
        b"-NaN",
        b"Infinity1",
        b"--Infinity",
    ],
)
def test_other_words_stay_refused(word: bytes) -> None:
    for policy in ("error", "literal", "null"):
        refuse(word, nan=policy)
        refuse(b"[" + word + b"]", nan=policy)


# comments

COMMENTED = [
    ("/* a */ 1", 1),
    ("1 /* a */", 1),
    ("1 // a", 1),
    ("// a\n1", 1),
    ("// a\r\n1", 1),
    ("//\n//\n1//", 1),
    ("/**/1/**/", 1),
    ("/***/1/* * / ** */", 1),
    ("/* // */1", 1),
    ("// /* \n1", 1),
    ("[/* a */]", []),
    ("{// a\n}", {}),
    ("[1/**/,/**/2/**/]", [1, 2]),
    ('{/**/"a"/**/:/**/1/**/,/**/"b"/**/:/**/2/**/}', {"a": 1, "b": 2}),
    ('["// no", "/* no */"]', ["// no", "/* no */"]),
    ('["a" // é日😀\n, 1]', ["a", 1]),
    ("[1, /* line\nline\n*/ 2]", [1, 2]),
    ("[true/**/,false/**/,null/**/,1.5/**/]", [True, False, None, 1.5]),
]


@pytest.mark.parametrize(("text", "want"), COMMENTED)
def test_comments_are_taken_on_demand_only(text: str, want: Any) -> None:
    assert_same(read(text, comments=True), want)
    document = json.parse(text, comments=True)
    assert document.dumps() == text.encode()
    if "no" not in text:
        error = refuse(text)
        assert error.code == "comment-not-allowed"
        assert error.offset == len(text[: text.index("/")].encode())
        assert refuse(text, comments=False).code == "comment-not-allowed"


@pytest.mark.parametrize("text", ["/* a", "[1, /* a\n]", "1 /*", "/*/", "[/* * /]", "{/**"])
def test_a_comment_without_an_end(text: str) -> None:
    error = refuse(text, comments=True)
    assert error.code == "unterminated-comment"
    assert error.offset in (text.index("/*"), len(text))


@pytest.mark.parametrize(
    "text", ["/", "/ 1", "[1 / 2]", "# a\n1", "[1] /x", "-- a\n1", "/1/", "<!-- a -->1"]
)
def test_other_marks_are_no_comments(text: str) -> None:
    refuse(text, comments=True)


def test_faults_after_comments_are_placed_right() -> None:
    error = refuse("[1, // é\n /* 日 */ x]", comments=True)
    assert (error.offset, error.line, error.column) == (21, 2, 10)
    assert refuse(b"[1, /* \xff */ 2]", comments=True).code == "invalid-utf8"
    assert refuse("[1, /* a */]", comments=True).code == "trailing-comma"
    assert refuse("// only a comment", comments=True).code in ("empty-input", "unexpected-end")


# trailing commas


@pytest.mark.feature(84)
@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("[1,]", [1]),
        ("[1 , ]", [1]),
        ("[1,2,\n]", [1, 2]),
        ("[[],]", [[]]),
        ('{"a":1,}', {"a": 1}),
        ('{"a":[1,],\n}', {"a": [1]}),
    ],
)
def test_trailing_commas_on_demand_only(text: str, want: Any) -> None:
    assert_same(read(text, trailing_commas=True), want)
    assert json.parse(text, trailing_commas=True).dumps() == text.encode()
    assert refuse(text).code == "trailing-comma"
    assert refuse(text, trailing_commas=False).code == "trailing-comma"


@pytest.mark.feature(84)
@pytest.mark.parametrize(
    "text", ["[,]", "{,}", "[1,,]", '{"a":1,,}', "1,", "[],", "[,1]", '{"a":,}', "[1,", "[1,}"]
)
def test_commas_elsewhere_stay_refused(text: str) -> None:
    refuse(text, trailing_commas=True)


@pytest.mark.feature(84)
def test_comments_and_trailing_commas_together() -> None:
    assert read("[1, /* a */ ]", comments=True, trailing_commas=True) == [1]
    assert read('{"a": 1, // a\n}', comments=True, trailing_commas=True) == {"a": 1}


# floats and overflow


@pytest.mark.feature(90)
@pytest.mark.parametrize(
    "text",
    [
        "0.333331",
        "0.30",
        "1.0",
        "-0.0",
        "1e5",
        "1E+5",
        "100e-2",
        "1e400",
        "-1e-400",
        "0.1" * 1 + "0" * 60 + "1",
        "12345678901234567890.123456789",
    ],
)
def test_floats_as_decimals_from_their_text(text: str) -> None:
    assert_same(read(text, floats="decimal"), Decimal(text))
    assert_same(read(f'{{"a": [{text}, 1]}}', floats="decimal"), {"a": [Decimal(text), 1]})
    assert_same(json.parse(f"[{text}]", floats="decimal")[0], Decimal(text))
    assert json.dumps(json.parse(f"[{text}]", floats="decimal")) == f"[{text}]".encode()


@pytest.mark.feature(90)
def test_whole_numbers_stay_integers_among_decimals() -> None:
    assert_same(
        read("[1, -5, 12345678901234567890123]", floats="decimal"), [1, -5, 12345678901234567890123]
    )
    assert_same(read("1.5", floats="float"), 1.5)
    assert type(read("1.5")) is float


@pytest.mark.feature(90)
def test_decimals_ignore_the_context() -> None:
    import decimal

    with decimal.localcontext() as context:
        context.prec = 3
        assert str(json.loads("1.234567890", floats="decimal")) == "1.234567890"


@pytest.mark.feature(98)
@pytest.mark.parametrize(
    "text", ["1e309", "-1e309", "1.8e308", "179769313486231590000e288", "1e999999999999"]
)
def test_overflow(text: str) -> None:
    want = -math.inf if text.startswith("-") else math.inf
    for options in ({}, {"overflow": "error"}):
        assert refuse(text, late=True, **options).code == "number-overflow"
        assert refuse(f"[0, {text}]", late=True, **options).offset == 4
    assert_same(read(text, overflow="inf"), want)
    assert_same(read(f'{{"a": {text}}}', overflow="inf"), {"a": want})
    document = json.parse(f"[{text}]", overflow="inf")
    assert document.dumps() == f"[{text}]".encode() == json.dumps(document)


def test_underflow_is_no_error() -> None:
    assert_same(read("1e-400"), 0.0)
    assert_same(read("-1e-400"), -0.0)


def test_the_largest_doubles_do_not_overflow() -> None:
    assert read("1.7976931348623157e308") == 1.7976931348623157e308
    assert read("1.7976931348623158e308") == 1.7976931348623157e308
    assert refuse("1.7976931348623159e308", late=True).code == "number-overflow"


# lazy values


@pytest.mark.feature(81)
@pytest.mark.parametrize(
    ("value", "code"),
    [
        (b'"\\x41"', "invalid-escape"),
        (b'"\\u12"', "invalid-unicode-escape"),
        (b'"\\ud800"', "lone-surrogate"),
        (b'"\xff"', "invalid-utf8"),
        (b"01", "leading-zero"),
        (b"1.", "missing-digits"),
    ],
)
def test_lazy_values_are_checked_when_read(value: bytes, code: str) -> None:
    text = b'{"skipped": ' + value + b', "read": [1, "x"]}'
    assert refuse(text).code == code
    document = json.parse(text, lazy_values=True)
    assert document["read"] == [1, "x"]
    assert len(document) == 2
    error = error_of(document.root.__getitem__, "skipped")
    assert error.code == code
    assert error.offset == refuse(text).offset
    assert error_of(document.to_python).code == code
    assert error_of(lambda: document.at("/skipped").value).code == code
    assert document["read"][1] == "x", "an error leaves the document as it was"


@pytest.mark.feature(81)
@pytest.mark.parametrize(
    "text",
    [b"[1", b"[1,]", b"[}", b'{"a"}', b"{1:2}", b"[] []", b'["a', b"", b"[1 2]", b'{"a":1,}'],
)
def test_structure_is_checked_even_with_lazy_values(text: bytes) -> None:
    error = error_of(json.parse, text, lazy_values=True)
    want = refuse(text)
    assert (error.code, error.offset) == (want.code, want.offset)


@pytest.mark.feature(81)
def test_lazy_values_of_a_good_text_are_no_different() -> None:
    text = '{"a": [1, -2.5e3, "\\u00e9", "é", true, null, 1234567890123456789012]}'
    lazy, eager = json.parse(text, lazy_values=True), json.parse(text)
    assert lazy == eager
    assert_same(lazy.to_python(), eager.to_python())
    assert lazy.dumps() == eager.dumps()
    assert json.dumps(lazy) == json.dumps(eager)


@pytest.mark.feature(81)
def test_open_takes_lazy_values(tmp_path: Any) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'["\\x41", 2]')
    with pytest.raises(octad.DecodeError):
        json.open(path)
    assert json.open(path, lazy_values=True)[1] == 2


# settings


@pytest.mark.feature(25)
def test_settings_carry_options() -> None:
    settings = octad.Settings(nan="literal", limits=octad.Limits(depth=2))
    assert_same(read(b"[NaN]", settings=settings), [math.nan])
    assert refuse(b"[[[]]]", settings=settings).code == "depth-limit"
    document = json.parse(b"[1]", settings=settings)
    assert document.settings == settings
    decoder = json.Decoder(settings=settings)
    assert_same(decoder.loads(b"[NaN]"), [math.nan])


def test_a_keyword_wins_over_settings() -> None:
    settings = octad.Settings(nan="literal", limits=octad.Limits(depth=2))
    assert refuse(b"[NaN]", nan="error", settings=settings).code == "nan-not-allowed"
    assert read(b"[NaN]", nan="null", settings=settings) == [None]
    assert read(b"[[[]]]", limits=octad.Limits(depth=3), settings=settings) == [[[]]]


def test_settings_are_values() -> None:
    one = octad.Settings(nan="null", limits=octad.Limits(depth=7))
    two = octad.Settings(nan="null", limits=octad.Limits(depth=7))
    assert one == two
    assert hash(one) == hash(two)
    assert one != octad.Settings()
    with pytest.raises(AttributeError):
        one.nan = "error"
    with pytest.raises(TypeError):
        octad.Settings(no_such_setting=1)
    with pytest.raises((ValueError, TypeError)):
        octad.Settings(nan="maybe")
    assert "nan" in repr(one)


# wrong options


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("duplicates", "both"), ("surrogates", "drop"), ("nan", "string"), ("floats", "single")),
        *(
            ("overflow", "wrap"),
            ("duplicates", 1),
            ("limits", {"depth": 3}),
            ("settings", {"nan": 1}),
        ),
    ],
)
def test_unknown_values_of_options_are_refused(name: str, value: Any) -> None:
    for verb in (json.loads, json.parse, json.check, json.try_parse):
        with pytest.raises((ValueError, TypeError)) as caught:
            verb(b"[1]", **{name: value})
        assert not isinstance(caught.value, octad.DecodeError)
        assert name in str(caught.value)


def test_options_are_keywords_only() -> None:
    for verb in (json.loads, json.parse, json.try_parse, json.check):
        with pytest.raises(TypeError):
            verb(b"[1]", "last")


HUGE = ["1e99999999999999999999", "1e-9999999999999999999999", "0e99999999999999999999"]


@pytest.mark.parametrize("context", [decimal.DefaultContext, decimal.ExtendedContext])
def test_decimals_do_not_depend_on_the_context(context: decimal.Context) -> None:
    with decimal.localcontext(context) as here:
        here.prec = 3
        assert json.loads("1.23456789", floats="decimal") == decimal.Decimal("1.23456789")
        edge = "1e999999999999999999"
        assert str(json.loads(edge, floats="decimal")) == "1E+999999999999999999"
        for text in HUGE:
            document = json.parse(text, floats="decimal")
            for read in (
                lambda text=text: json.loads(text, floats="decimal"),
                document.to_python,
                document.root.as_decimal,
            ):
                with pytest.raises(octad.DecodeError) as caught:
                    read()
                assert (caught.value.code, caught.value.offset) == ("number-overflow", 0)
            assert document == json.parse(text, floats="decimal")
            assert document != 1
        assert not here.flags[decimal.InvalidOperation]


@pytest.mark.parametrize("options", [{}, {"lazy_values": True}])
def test_comments_are_utf8(options: dict[str, bool]) -> None:
    for text in (b"[1 /* \xff */]", b"[1] // \xff"):
        with pytest.raises(octad.DecodeError) as caught:
            json.parse(text, comments=True, **options)
        assert (caught.value.code, caught.value.offset) == ("invalid-utf8", text.index(b"\xff"))
