"""Options of `Settings` as keywords of the writing calls: each call, each option, bad ones."""

from __future__ import annotations

import gc
import io
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import octad
import pytest
from octad import Settings, json


@dataclass
class Account:
    user_id: int
    full_name: str | None = None
    tag_list: list[str] = field(default_factory=list)
    made: datetime | None = None


class Marked(octad.Converter[int]):
    def write(self, w: octad.Writer, v: int) -> None:
        w.value(f"#{v}")


class Named:
    """A resolver that gives names of its own."""

    def resolve(self, identity: Any) -> Any:
        raise KeyError(identity)

    def id_of(self, value: object) -> str:
        return "it"


VALUE = {"a_b": [Account(7, made=datetime(1970, 1, 2, tzinfo=UTC)), Account(8, "x", ["y"])]}
SHARED = [VALUE["a_b"][0]] * 2
ROUND: list[Any] = []
ROUND.append(ROUND)

OPTIONS: list[tuple[dict[str, Any], Any]] = [
    ({"rename": "camel"}, VALUE),
    ({"rename": {"user_id": "ID"}}, VALUE),
    ({"rename": str.upper}, VALUE),
    ({"rename_keys": "camel"}, VALUE),
    ({"omit_none": True}, VALUE),
    ({"omit_defaults": True}, VALUE),
    ({"omit_empty": True}, VALUE),
    ({"numbers_as_text": True}, VALUE),
    ({"dates": "epoch"}, VALUE),
    ({"dates": "%Y", "zones": "utc"}, VALUE),
    ({"references": True}, SHARED),
    ({"references": Named()}, SHARED),
    ({"cycles": "null"}, ROUND),
    ({"converters": [Marked()]}, VALUE),
    ({"rename": "kebab", "omit_none": True, "dates": "epoch_ms"}, VALUE),
]


def as_dump(value: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    json.dump(value, file, **options)
    return file.getvalue()


def as_dump_into(value: Any, **options: Any) -> bytes:
    buffer = bytearray(b"> ")
    end = json.dump_into(value, buffer, 2, **options)
    assert end == len(buffer)
    return bytes(buffer[2:])


def as_encoder_file(value: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    json.Encoder(**options).dump(value, file)
    return file.getvalue()


def as_encoder_buffer(value: Any, **options: Any) -> bytes:
    buffer = bytearray()
    json.Encoder(**options).dump_into(value, buffer)
    return bytes(buffer)


def as_codec(value: Any, **options: Any) -> bytes:
    written: bytes = octad.Codec(Settings()).json.dumps(value, **options)
    return written


CALLS: dict[str, Callable[..., bytes]] = {
    "dumps": json.dumps,
    "dumps_str": lambda value, **options: json.dumps_str(value, **options).encode(),
    "dump": as_dump,
    "dump_into": as_dump_into,
    "Encoder.dumps": lambda value, **options: json.Encoder(**options).dumps(value),
    "Encoder.dumps_str": lambda value, **options: json.Encoder(**options).dumps_str(value).encode(),
    "Encoder.dump": as_encoder_file,
    "Encoder.dump_into": as_encoder_buffer,
    "Codec": as_codec,
}


@pytest.mark.feature(157, 164, 165, 170, 171, 172, 181, 182, 183, 186, 189, 192, 193)
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(("options", "value"), OPTIONS, ids=[str(one) for one, _ in OPTIONS])
def test_every_call_takes_them(
    call: Callable[..., bytes], options: dict[str, Any], value: Any
) -> None:
    wanted = json.dumps(value, settings=Settings(**options))
    if value is not ROUND:
        assert wanted != json.dumps(value)
    for _ in range(2):
        assert call(value, **options) == wanted
    assert call(value, indent=1, **options) == json.dumps(
        value, indent=1, settings=Settings(**options)
    )


@pytest.mark.feature(157, 209)
def test_the_top_level_and_the_writer_take_them(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    octad.dump(Account(7), path, rename="camel", omit_none=True, omit_empty=True)
    assert path.read_bytes() == b'{"userId":7}'
    writer = json.Writer(rename="upper", omit_defaults=True, dates="epoch")
    with writer.list():
        writer.value(Account(1, "x"))
        writer.value(datetime(1970, 1, 1, tzinfo=UTC))
    assert writer.finish() == b'[{"USER_ID":1,"FULL_NAME":"x"},0]'
    # What needs the whole value is for calls that have it.
    with pytest.raises(ValueError, match="references need the whole value"):
        json.Writer(references=True)


@pytest.mark.feature(173)
def test_kept_members_come_back_whatever_the_call_says() -> None:
    text = b'{"user_id":1,"more":[2]}'
    kept = json.loads(text, Account, unknown="keep")
    assert json.dumps(kept, omit_defaults=True) == text
    assert json.dumps(kept, omit_defaults=True, unknown="keep") == text


def test_a_keyword_wins_over_the_settings() -> None:
    settings = Settings(rename="camel", omit_none=True, omit_empty=True)
    assert json.dumps(Account(1), settings=settings) == b'{"userId":1}'
    assert json.dumps(Account(1), settings=settings, rename="upper") == b'{"USER_ID":1}'
    # None is not given; the word for no policy is "none".
    assert json.dumps(Account(1), settings=settings, rename=None) == b'{"userId":1}'
    assert json.dumps(Account(1), settings=settings, rename="none") == b'{"user_id":1}'
    api = octad.Codec(settings)
    assert api.json.dumps(Account(1), rename="upper") == b'{"USER_ID":1}'
    assert api.json.Encoder(omit_none=False).dumps(Account(1)) == (
        b'{"userId":1,"fullName":null,"made":null}'
    )


def test_what_holds_for_one_call_does_not_hold_for_the_next() -> None:
    for _ in range(3):
        assert json.dumps(Account(1), rename="camel", omit_defaults=True) == b'{"userId":1}'
        assert json.dumps(Account(1), rename="upper", omit_defaults=True) == b'{"USER_ID":1}'
        assert json.dumps(Account(1), omit_defaults=True) == b'{"user_id":1}'
    names = {"user_id": "a"}
    assert json.dumps(Account(1), rename=names, omit_defaults=True) == b'{"a":1}'
    names["user_id"] = "b"
    assert json.dumps(Account(1), rename=names, omit_defaults=True) == b'{"b":1}'
    # True and 1 are equal and not the same.
    assert json.dumps(Account(1), omit_none=True, omit_empty=True) == b'{"user_id":1}'
    with pytest.raises(TypeError, match="omit_none"):
        json.dumps(Account(1), omit_none=1, omit_empty=True)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"rename": "loud"}, ValueError, "rename: expected a policy"),
        ({"omit_none": "yes"}, TypeError, "omit_none: expected a bool"),
        ({"dates": "soon"}, ValueError, "dates: expected a form"),
        ({"zones": 1}, ValueError, "zones: expected a word"),
        ({"converters": [object()]}, TypeError, "expected an octad.Converter"),
        ({"references": True, "canonical": True}, ValueError, "canonical=True"),
        ({"omit_none": True, "settings": 3}, TypeError, "option `settings`"),
        ({"omit_nones": True}, TypeError, "unknown option `omit_nones`: expected .*omit_none"),
        ({"omit_none": True, "omit_nones": True}, TypeError, "unknown option `omit_nones`"),
        ({"numbers_from_text": True}, TypeError, "that is for reading"),
        ({"case_sensitive": False}, TypeError, "that is for reading"),
    ],
)
def test_what_is_wrong_is_said(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    for call in (*CALLS.values(), lambda _, **options: json.Writer(**options)):
        with pytest.raises(error, match=message):
            call(Account(1), **options)


def test_an_encoder_in_a_cycle_is_collected_and_shared_options_stay() -> None:
    class Hook:
        def __call__(self, value: object) -> object:
            return "?"

    hook = Hook()
    hook.encoder = json.Encoder(default=hook)  # type: ignore[attr-defined]
    gone = weakref.ref(hook)
    del hook
    gc.collect()
    assert gone() is None
    settings = Settings(default=lambda value: "!")
    encoders = [json.Encoder(settings=settings) for _ in range(3)]
    del settings
    for _ in range(3):
        gc.collect()
        assert encoders.pop().dumps(object()) == b'"!"'
