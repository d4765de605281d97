"""Writing to paths and files: whole or not at all, and nothing lost on the way."""

from __future__ import annotations

import codecs
import io
import os
import stat
from pathlib import Path
from typing import Any

import octad
import pytest
from octad import json


@pytest.mark.feature(29)
def test_a_path_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("old")
    path.chmod(0o640)
    json.dump({"a": 1}, path)
    assert path.read_bytes() == b'{"a":1}'
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["settings.json"]


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    json.dump(1, tmp_path / "new.json")
    assert (tmp_path / "new.json").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("0")
    (tmp_path / "link.json").symlink_to("real.json")
    json.dump(1, tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text() == "1"


@pytest.mark.parametrize("value", [object(), {"a": float("nan")}, {1: 1, "1": 2}])
def test_a_value_that_cannot_be_written_leaves_the_file(tmp_path: Path, value: Any) -> None:
    path = tmp_path / "kept.json"
    path.write_text("kept")
    with pytest.raises(octad.EncodeError):
        json.dump(value, path)
    assert path.read_text() == "kept"
    assert os.listdir(tmp_path) == ["kept.json"]


def test_names_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    path = tmp_path / ("é" * 120 + ".json")
    json.dump([1], path)
    assert octad.load(path) == [1]


def test_errors_name_the_file_that_was_asked_for(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        json.dump([1], tmp_path / "no" / "file.json")
    assert caught.value.filename == str(tmp_path / "no" / "file.json")
    with pytest.raises(IsADirectoryError):
        json.dump([1], "")
    with pytest.raises(IsADirectoryError):
        json.dump([1], tmp_path)


def test_paths_may_be_bytes(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path / "a.json")
    json.dump([1], path)
    assert json.load(path) == octad.load(path) == [1]
    assert json.open(path)[0] == json.open(path, mmap=True)[0] == 1


def test_files_get_the_kind_of_data_they_take(tmp_path: Path) -> None:
    binary, text = io.BytesIO(), io.StringIO()
    json.dump(["é"], binary)
    json.dump(["é"], text)
    assert binary.getvalue() == text.getvalue().encode() == '["é"]'.encode()
    with codecs.open(str(tmp_path / "coded.json"), "w", "utf-16") as coded:
        json.dump(["é"], coded)
    assert (tmp_path / "coded.json").read_bytes().decode("utf-16") == '["é"]'


class Slow(io.RawIOBase):
    """Takes seven bytes at a time."""

    def __init__(self) -> None:
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.taken += bytes(data[:7])
        return min(7, len(data))


def test_a_raw_file_that_takes_little_gets_everything() -> None:
    file = Slow()
    json.dump(list(range(50)), file)
    assert json.loads(file.taken) == list(range(50))


def test_a_file_that_would_block_is_an_error_not_a_loss() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        with (
            open(writer, "wb", buffering=0, closefd=False) as file,
            pytest.raises(BlockingIOError) as caught,
        ):
            json.dump(["x" * 10**6], file)
        assert caught.value.characters_written == len(os.read(reader, 10**6))
    finally:
        os.close(reader)
        os.close(writer)


@pytest.mark.parametrize("answer", [None, 0, -1, 1])
def test_what_an_unknown_writer_answers_does_not_matter(answer: int | None) -> None:
    class Writer:
        def __init__(self) -> None:
            self.calls: list[bytes] = []

        def write(self, data: bytes) -> int | None:
            self.calls.append(data)
            return answer

    writer = Writer()
    json.dump([1, 2], writer)  # type: ignore[arg-type]
    assert writer.calls == [b"[1,2]"]


def test_files_without_a_size_are_read_when_they_cannot_be_mapped() -> None:
    path = "/proc/sys/kernel/pid_max"
    if not os.path.exists(path):
        pytest.skip("no file system of processes on this machine")
    assert json.open(path, mmap=True).root.as_int() > 0


def test_open_takes_paths_only() -> None:
    with pytest.raises(TypeError, match="expected a path"):
        json.open(io.BytesIO(b"[1]"))  # type: ignore[arg-type]
