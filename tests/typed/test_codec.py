"""`octad.Codec`: the verbs of every format, bound to one `Settings`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import octad
import pytest

from tests.typed.formats import Format

pytestmark = pytest.mark.feature(209)

SETTINGS = octad.Settings(rename="camel")


@dataclass
class Names:
    user_id: int


@pytest.mark.feature(205)
def test_verbs_of_a_codec_have_its_settings(fmt: Format, tmp_path: Path) -> None:
    verbs: Any = getattr(octad.Codec(SETTINGS), fmt.name)
    data = fmt.data('{"userId": 1}')
    assert verbs.loads(data, Names) == Names(1)
    assert verbs.Decoder(Names).loads(data) == Names(1)
    assert verbs.check(data, Names) == []
    assert verbs.parse(data)["userId"] == 1
    (tmp_path / "a").write_bytes(data)
    assert verbs.load(tmp_path / "a", Names) == Names(1)
    other = octad.Settings(rename="none")
    with pytest.raises(octad.ValidationError):
        verbs.loads(data, Names, settings=other)
    assert verbs.Raw is fmt.verbs.Raw


def test_what_is_not_there_is_told(fmt: Format) -> None:
    codec = octad.Codec(SETTINGS)
    with pytest.raises(AttributeError, match="no format"):
        codec.nothing  # noqa: B018
    with pytest.raises(AttributeError, match="nothing"):
        getattr(codec, fmt.name).nothing  # noqa: B018
    with pytest.raises(TypeError, match="Settings"):
        octad.Codec({})  # type: ignore[arg-type]
    assert fmt.name in dir(codec)
    assert "loads" in dir(getattr(codec, fmt.name))
    assert "camel" in repr(codec)
