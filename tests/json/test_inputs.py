"""What the reader takes its text from: bytes, str, buffers, maps, files and paths.

Owns inputs and their lifetime; what the texts mean is tested elsewhere.
"""

from __future__ import annotations

import array
import ctypes
import gc
import io
import json as stdlib_json
import mmap
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import octad
import pytest
from octad import json

from tests.support import BOM, accepts, assert_same, error_of, refuse

TEXT = '{"naïve": ["日本", 1, -2.5, null, "😀"], "plain": "ascii"}'
DATA = TEXT.encode()
WANT = {"naïve": ["日本", 1, -2.5, None, "😀"], "plain": "ascii"}
PADDED = DATA + b" " * (-len(DATA) % 8)


class Text(str):
    pass


class Data(bytes):
    pass


INPUTS: dict[str, Callable[[], Any]] = {
    "bytes": lambda: bytes(bytearray(DATA)),
    "bytes subclass": lambda: Data(DATA),
    "str": lambda: TEXT,
    "str subclass": lambda: Text(TEXT),
    "bytearray": lambda: bytearray(DATA),
    "memoryview of bytes": lambda: memoryview(DATA),
    "memoryview of bytearray": lambda: memoryview(bytearray(DATA)),
    "read-only memoryview": lambda: memoryview(bytearray(DATA)).toreadonly(),
    "part of a memoryview": lambda: memoryview(b"xx" + DATA + b"yy")[2:-2],
    "every second byte": lambda: memoryview(bytes(b for c in DATA for b in (c, 120)))[::2],
    "backwards": lambda: memoryview(DATA[::-1])[::-1],
    "signed bytes": lambda: memoryview(DATA).cast("b"),
    "characters": lambda: memoryview(DATA).cast("c"),
    "wide elements": lambda: memoryview(PADDED).cast("Q"),
    "two dimensions": lambda: memoryview(PADDED).cast("B", (len(PADDED) // 8, 8)),
    "array": lambda: array.array("B", DATA),
    "array of words": lambda: array.array("I", PADDED),
    "ctypes": lambda: (ctypes.c_char * len(DATA)).from_buffer_copy(DATA),
}


@pytest.mark.feature(21)
@pytest.mark.parametrize("make", INPUTS.values(), ids=INPUTS)
def test_every_kind_of_input(make: Callable[[], Any]) -> None:
    data = make()
    assert_same(json.loads(data), WANT)
    document = json.parse(data)
    assert_same(document.to_python(), WANT)
    assert document.source.strip() == DATA
    assert type(document.source) is bytes
    assert json.try_parse(data) == document
    assert json.check(data) == []
    decoder = json.Decoder()
    assert decoder.loads(data) == WANT
    assert decoder.parse(data) == document


@pytest.mark.feature(21)
@pytest.mark.parametrize("make", INPUTS.values(), ids=INPUTS)
def test_inputs_are_given_back(make: Callable[[], Any]) -> None:
    """No buffer stays exported, and no reference is kept, once the text has been read."""
    data = make()
    gc.collect()
    before = sys.getrefcount(data)
    json.loads(data)
    json.check(data)
    document = json.parse(data)
    del document
    gc.collect()
    assert sys.getrefcount(data) == before
    if isinstance(data, memoryview):
        data.release()


def test_errors_in_every_kind_of_input_have_the_same_place() -> None:
    broken = '["é", x]'
    for data in (broken, broken.encode(), bytearray(broken.encode()), memoryview(broken.encode())):
        error = refuse(data)
        assert (error.code, error.offset, error.column) == ("invalid-literal", 7, 7)


@pytest.mark.parametrize(
    "text",
    [
        *("1", '"a"', '"é"', '"ÿ"', '"Ā"', '"日本"', '"😀"', '"a😀é日"', '["é", "日", "😀", "a"]'),
        *(
            '{"é": 1}',
            '"\u007f"',
            '"\u0080"',
            '"\u07ff\u0800"',
            '"\uffff\U00010000"',
            '"\U0010ffff"',
        ),
    ],
)
def test_str_of_every_width(text: str) -> None:
    assert_same(json.loads(text), json.loads(text.encode()))
    assert json.parse(text).dumps() == text.encode()
    assert json.parse(text).source == text.encode()


@pytest.mark.feature(95)
@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ('"\ud800"', 1),
        ('"a\udfff"', 2),
        ('["é", "\ud83d\ude00"]', 8),
        ('{"\udc80": 1}', 2),
        ("\ud800", 0),
    ],
)
def test_a_str_with_a_lone_surrogate_is_refused(text: str, offset: int) -> None:
    """Such a str has no UTF-8 form; it is octad's error, at that character."""
    error = refuse(text)
    assert error.code in ("lone-surrogate", "invalid-utf8") or text == "\ud800"
    assert error.offset == offset
    assert error.column == len(text.encode("utf-8", "surrogatepass")[:offset].decode()) + 1


@pytest.mark.feature(87)
def test_a_byte_order_mark_is_skipped() -> None:
    for data in (BOM + b'{"a": 1}', "\ufeff" + '{"a": 1}', bytearray(BOM + b'{"a": 1}')):
        assert json.loads(data) == {"a": 1}
        document = json.parse(data)
        assert document["a"] == 1
        assert json.dumps(document) == b'{"a":1}'
        assert document.at("/a").position.offset == 9
        assert json.check(data) == []
    assert not accepts(BOM + BOM + b"1")
    assert not accepts(b" " + BOM + b"1")
    assert json.parse(BOM + b" 1 ").dumps() in (BOM + b" 1 ", b" 1 ")


def test_a_byte_order_mark_in_a_string_is_text() -> None:
    assert json.loads('"\ufeff"') == "\ufeff"


@pytest.mark.parametrize("empty", [b"", "", bytearray(), memoryview(b""), b" \n\t\r", BOM])
def test_empty_input(empty: Any) -> None:
    error = refuse(empty)
    assert error.code == "empty-input"
    assert error.offset == len(empty)
    assert json.try_parse(empty) is None


@pytest.mark.feature(24, 224)
def test_try_parse_gives_none_for_any_faulty_text() -> None:
    for text in (b"", b"[", b"\xff", b"\x00" * 10, "\ud800", b"[" * 100_000, b"nul"):
        assert json.try_parse(text) is None
    document = json.try_parse(b'{"a": 1}')
    assert document is not None
    assert document["a"] == 1
    with pytest.raises(TypeError):
        json.try_parse(None)


# Lifetime


@pytest.mark.feature(4, 22)
def test_bytes_are_borrowed_not_copied() -> None:
    data = b'["' + b"x" * (8 << 20) + b'"]'
    before = sys.getrefcount(data)
    document = json.parse(data)
    assert document.source is data
    assert sys.getrefcount(data) > before
    assert document.nbytes < 100_000, "the source is not counted, and not copied"
    element = document.at("/0")
    del document
    gc.collect()
    assert sys.getrefcount(data) > before, "a view keeps the source alive"
    assert len(element.value) == 8 << 20
    del element
    gc.collect()
    assert sys.getrefcount(data) == before


@pytest.mark.feature(22)
def test_parsing_large_bytes_takes_no_second_copy() -> None:
    from tests.support import resident_bytes

    data = b'["' + b"y" * (64 << 20) + b'"]'
    before = resident_bytes()
    document = json.parse(data)
    assert resident_bytes() - before < 16 << 20
    assert len(document) == 1


@pytest.mark.feature(4, 22)
def test_changes_to_a_buffer_do_not_reach_the_document() -> None:
    data = bytearray(DATA)
    document = json.parse(data)
    inner = document["naïve"]
    for index in range(len(data)):
        data[index] = ord("x")
    assert_same(document.to_python(), WANT)
    assert inner[0] == "日本"
    assert document.dumps() == DATA
    data.extend(b"more")
    del data[:]
    assert document["plain"] == "ascii"

    view_of = bytearray(DATA)
    view = memoryview(view_of).toreadonly()
    document = json.parse(view)
    view_of[:] = b" " * len(view_of)
    assert_same(document.to_python(), WANT)


@pytest.mark.feature(4)
def test_a_document_outlives_its_input() -> None:
    documents = [json.parse(f'{{"key{index}": "{"v" * index}é"}}') for index in range(300)]
    documents += [json.parse(b'{"key%d": "%s\xc3\xa9"}' % (i, b"v" * i)) for i in range(300)]
    gc.collect()
    _noise = [bytes([index % 256]) * index for index in range(3000)]
    for index, document in enumerate(documents):
        number = index % 300
        assert document[f"key{number}"] == "v" * number + "é"


def test_a_read_only_map() -> None:
    with tempfile.TemporaryFile() as file:
        file.write(DATA)
        file.flush()
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            assert_same(json.loads(mapped), WANT)
            document = json.parse(mapped)
            assert json.check(mapped) == []
    assert_same(document.to_python(), WANT)


# Files and paths


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "naïve data.json"
    place.write_bytes(DATA)
    return place


class PathLike:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)


@pytest.mark.feature(21)
def test_load_from_a_path(path: Path) -> None:
    for place in (path, str(path), PathLike(path)):
        assert_same(json.load(place), WANT)
        document = json.open(place)
        assert_same(document.to_python(), WANT)
        assert document.dumps() == DATA
        assert_same(octad.load(place), WANT)
        assert octad.open(place) == document


@pytest.mark.feature(21)
def test_open_with_a_map(path: Path) -> None:
    document = json.open(path, mmap=True)
    assert_same(document.to_python(), WANT)
    assert document.dumps() == DATA
    assert document["naïve"][4] == "😀"
    document.close()
    assert octad.open(path, mmap=True)["plain"] == "ascii"
    empty = path.with_name("empty.json")
    empty.write_bytes(b"")
    for mapped in (False, True):
        assert error_of(json.open, empty, mmap=mapped).code == "empty-input"


@pytest.mark.feature(21, 23)
def test_load_from_files(path: Path) -> None:
    with path.open("rb") as binary:
        assert_same(json.load(binary), WANT)
    with path.open("rb", buffering=0) as raw:
        assert_same(json.load(raw), WANT)
    with path.open(encoding="utf-8") as text:
        assert_same(json.load(text), WANT)
    assert_same(json.load(io.BytesIO(DATA)), WANT)
    assert_same(json.load(io.StringIO(TEXT)), WANT)
    with path.open("rb") as binary:
        assert_same(octad.load(binary, format="json"), WANT)


@pytest.mark.feature(23)
def test_files_are_read_from_where_they_stand() -> None:
    for lead in (b"header\n", b"[broken", b"\xff\xff"):
        file = io.BytesIO(lead + b"[1, 2]")
        file.seek(len(lead))
        assert json.load(file) == [1, 2]
    text = io.StringIO("header [1, 2]")
    text.seek(6)
    assert json.load(text) == [1, 2]
    end = io.BytesIO(b"[1]")
    end.seek(3)
    assert error_of(json.load, end).code == "empty-input"


@pytest.mark.feature(23)
def test_the_place_of_a_file_that_was_read_twice() -> None:
    file = io.BytesIO(b"[1, 2]")
    assert json.load(file) == [1, 2]
    assert file.read() == b""


class Source:
    """The least a file can be."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def read(self, size: int = -1) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        answer, self.answer = self.answer, self.answer[:0]
        return answer


@pytest.mark.feature(21)
def test_anything_with_read_is_a_file() -> None:
    assert json.load(Source(b"[1]")) == [1]
    assert json.load(Source("[1]")) == [1]
    assert json.load(Source(bytearray(b"[1]"))) == [1]
    with pytest.raises(OSError, match="disk on fire"):
        json.load(Source(OSError("disk on fire")))
    with pytest.raises(TypeError):
        json.load(Source([1, 2]))


def test_wrong_files(tmp_path: Path) -> None:
    folder = tmp_path / "folder.json"
    folder.mkdir()
    for verb in (json.load, json.open, octad.load, octad.open):
        with pytest.raises(FileNotFoundError) as caught:
            verb(tmp_path / "absent.json")
        assert "absent.json" in str(caught.value)
        with pytest.raises(IsADirectoryError):
            verb(folder)
    for wrong in (None, 1.5, object(), [1]):
        with pytest.raises(TypeError):
            json.load(wrong)


def test_no_address_is_ever_opened() -> None:
    for verb in (json.load, json.open, octad.load, octad.open):
        for address in ("http://localhost/a.json", "file:///etc/hostname.json"):
            with pytest.raises(FileNotFoundError):
                verb(address)


def test_errors_in_files_have_places(path: Path) -> None:
    path.write_bytes(b'{"a":\n  [1, x]}')
    for verb in (json.load, json.open, octad.load, octad.open):
        error = error_of(verb, path)
        assert (error.code, error.offset, error.line, error.column) == ("invalid-literal", 12, 2, 7)
    with path.open("rb") as file:
        error = error_of(json.load, file)
    assert (error.line, error.path) == (2, "$.a[1]")


@pytest.mark.feature(219)
def test_errors_in_files_name_the_file(path: Path) -> None:
    path.write_bytes(b"[1,")
    for verb in (json.load, json.open, octad.load, octad.open):
        error = error_of(verb, path)
        assert error.filename == str(path)
        assert str(path) in str(error)
    assert error_of(json.loads, b"[1,").filename is None


@pytest.mark.feature(16)
@pytest.mark.skipif(
    not os.path.isdir("/proc/self/fd"),
    reason="this system does not list descriptors in /proc, so none can be counted",
)
def test_files_and_maps_are_given_back(path: Path) -> None:
    def held() -> tuple[int, int]:
        with open("/proc/self/maps") as maps:
            mapped = maps.read().count(path.name)
        return len(os.listdir("/proc/self/fd")), mapped

    broken = path.with_name("broken.json")
    broken.write_bytes(b"[1,")
    before = held()
    for _ in range(20):
        json.load(path)
        for mapped in (False, True):
            document = json.open(path, mmap=mapped)
            view = document["naïve"]
            document.close()
            error_of(lambda view=view: view[0])
            json.open(path, mmap=mapped)
            error_of(json.open, broken, mmap=mapped)
        error_of(json.load, broken)
    gc.collect()
    assert held() == before


def test_options_pass_through_files(path: Path) -> None:
    path.write_bytes(b"[1.50, /* c */ NaN,]")
    options = {"comments": True, "trailing_commas": True, "nan": "null", "floats": "decimal"}
    assert str(json.load(path, **options)[0]) == "1.50"
    assert json.open(path, **options)[1] is None
    assert octad.load(path, **options)[1] is None
    assert octad.open(path, **options)[1] is None


def test_large_files_are_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    path.write_bytes(b"[" + b"12345678, " * 500_000 + b"1]")
    assert sum(json.load(path)) == 12345678 * 500_000 + 1
    with path.open("rb", buffering=0) as raw:
        assert len(json.load(raw)) == 500_001
    assert json.open(path)[-1] == 1


def test_a_pipe_has_no_place_to_tell() -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as end:
        end.write(b"[1, 2]")
    with os.fdopen(reading, "rb") as file:
        assert json.load(file) == [1, 2]


@pytest.mark.parametrize("surrogates", ["error", "replace", "keep"])
def test_a_str_with_half_of_a_pair_is_no_text(surrogates: str) -> None:
    text = '["é", "a\ud800b"]'
    for read in (json.loads, json.parse, partial(json.parse, lazy_values=True)):
        with pytest.raises(octad.DecodeError, match=r"found `\\ud800` alone \(a str") as caught:
            read(text, surrogates=surrogates)
        assert (caught.value.code, caught.value.offset) == ("lone-surrogate", 9)
        assert caught.value.path == "$[1]"
    problem = json.check(text, surrogates=surrogates)[0]
    assert (problem.code, problem.offset, problem.column) == ("lone-surrogate", 9, 9)
    with pytest.raises(octad.DecodeError) as caught:
        json.loads(b'["\xed\xa0\x80"]')
    assert caught.value.code == "invalid-utf8"


def test_the_formats_are_named_where_a_file_has_none() -> None:
    with pytest.raises(ValueError, match=r"\(\.json\), found 'config\.toml' .*`format=`: json"):
        octad.load("config.toml")


# Short texts are read from a padded copy, long ones where they stand.

ENDINGS = (
    '{"id": -12, "name": "Ada \\"L\\"", "naïve": "日本", "ok": [true, false, null, 1.5e-3, 0.25],'
    ' "nest": {"a": [[], {}, ""], "long text behind a key of some length": "of some length too"}}'
)
LEAD = 3000


@pytest.mark.feature(11)
def test_short_and_long_texts_end_alike() -> None:
    """Every prefix of a text is refused at the same place, whatever stands in front of it."""
    whole = ENDINGS.encode()
    for end in range(len(whole)):
        short = error_of(json.loads, whole[:end])
        long = error_of(json.loads, b" " * LEAD + whole[:end])
        assert (short.code, short.offset, short.path) == (long.code, long.offset - LEAD, long.path)
        assert short.message == long.message
    assert json.loads(b" " * LEAD + whole) == json.loads(whole) == stdlib_json.loads(whole)


@pytest.mark.feature(11)
@pytest.mark.parametrize("value", ["0", "-1", "12.5", "1e5", '"x"', '"ä"', "true", "null", "[]"])
def test_texts_of_all_lengths_around_the_bound(value: str) -> None:
    want = stdlib_json.loads(value)
    for length in [*range(70), *range(1960, 2100)]:
        padding = " " * max(0, length - len(value))
        assert json.loads(padding + value) == want
        assert json.loads((value + padding).encode()) == want
        text = '"' + "a" * length + '"'
        assert json.loads(text) == text[1:-1]
        for behind in ("x", "\x00", ",", " ]"):
            error = error_of(json.loads, padding + value + behind)
            assert error.offset == len((padding + value + behind[:-1]).encode())


def test_a_size_limit_counts_the_text_alone() -> None:
    limits = octad.Limits(size=5)
    assert json.loads("[1,2]", limits=limits) == [1, 2]
    assert error_of(json.loads, "[1, 2]", limits=limits).code == "size-limit"
