"""Arrays and scalars of numpy as targets, where numpy is installed."""

from __future__ import annotations

from typing import Any

import octad
import pytest
from octad import json
from octad._contract import compile_type

np = pytest.importorskip("numpy", reason="numpy is not installed")
npt = pytest.importorskip("numpy.typing", reason="numpy is not installed")


def made(hint: Any, value: Any) -> Any:
    """What the call of a plan makes of a plain value."""
    op, _, make, _ = compile_type(hint)[0]
    assert op == "call"
    return make(value)


@pytest.mark.feature(199)
def test_numpy_arrays_and_scalars() -> None:
    array = made(npt.NDArray[np.float32], [[1, 2.5], [3, 4]])
    assert array.dtype == np.float32
    assert array.tolist() == [[1.0, 2.5], [3.0, 4.0]]
    assert made(np.ndarray, [1, 2]).dtype.kind == "i"
    assert made(npt.NDArray[np.bool_], [True, False]).dtype == bool
    assert made(npt.NDArray[np.uint64], [2**64 - 1]).tolist() == [2**64 - 1]
    assert made(npt.NDArray[np.str_], ["a", "bc"]).tolist() == ["a", "bc"]
    assert made(npt.NDArray[np.datetime64], ["2024-01-02"]).dtype.kind == "M"
    assert made(npt.NDArray[np.int8], []).shape == (0,)
    assert made(np.ndarray[tuple[int, int], np.dtype[np.int64]], [[1]]).ndim == 2
    value = made(np.int16, 5)
    assert (type(value), value) == (np.int16, 5)
    assert type(made(np.float32, 0.5)) is np.float32


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (npt.NDArray[np.int8], [300]),
        (npt.NDArray[np.int64], [1.5]),
        (npt.NDArray[np.int64], ["1"]),
        (npt.NDArray[np.int64], [True]),
        (npt.NDArray[np.float64], ["1"]),
        (npt.NDArray[np.float64], [None]),
        (npt.NDArray[np.float64], [[1], [1, 2]]),
        (npt.NDArray[np.bool_], [1]),
        (np.ndarray, [{"a": 1}]),
        (np.ndarray, [[1], 2]),
        (np.ndarray[tuple[int, int], np.dtype[np.int64]], [1]),
        (np.int8, 300),
        (np.uint8, -1),
    ],
)
def test_numpy_refuses_what_would_be_changed(hint: Any, value: Any) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError)):
        made(hint, value)


def test_numpy_takes_null_for_nan_where_the_settings_do() -> None:
    settings = octad.Settings(nan="null")
    make = compile_type(npt.NDArray[np.float64], settings)[0][2]
    assert np.isnan(make([1.0, None])).tolist() == [False, True]


@pytest.mark.feature(199)
def test_numpy_is_read() -> None:
    array = json.loads("[[1, 2.5], [3, 4]]", npt.NDArray[np.float32])
    assert (array.dtype, array.tolist()) == (np.float32, [[1.0, 2.5], [3.0, 4.0]])
    for text, hint in (('[1, "a"]', npt.NDArray[np.int64]), ("300", np.int8)):
        with pytest.raises(octad.ValidationError) as caught:
            json.loads(text, hint)
        assert caught.value.code == "invalid-value"


@pytest.mark.parametrize(
    ("hint", "data", "place"),
    [
        (npt.NDArray[np.float32], "[[1, 2], [3, 1e300]]", "[1][1]"),
        (npt.NDArray[np.float16], "[65520]", "[0]"),
        (npt.NDArray[np.float32], "[1e39]", "[0]"),
        (np.float32, "1e300", ""),
    ],
)
@pytest.mark.filterwarnings("error")
def test_what_a_narrow_float_cannot_hold_is_refused(hint: Any, data: str, place: str) -> None:
    with pytest.raises(octad.ValidationError) as caught:
        json.loads(data, hint)
    assert place in str(caught.value.__cause__)


def test_narrow_floats_hold_what_fits() -> None:
    assert json.loads("[0.1, 65504]", npt.NDArray[np.float16]).tolist()[1] == 65504
    assert json.loads("[0.1, -3]", npt.NDArray[np.float32]).dtype == np.float32
    assert json.loads("0.5", np.float16) == np.float16(0.5)


@pytest.mark.parametrize("hint", [np.ndarray, npt.NDArray[np.int64], npt.NDArray[np.float64]])
def test_a_bool_among_numbers_is_none(hint: Any) -> None:
    with pytest.raises(octad.ValidationError):
        json.loads("[[2, 1], [3, true]]", hint)


@pytest.mark.parametrize("hint", [np.integer, np.floating, np.number, np.generic])
def test_a_family_of_scalars_is_no_target(hint: Any) -> None:
    with pytest.raises(octad.ContractError):
        json.loads("1", hint)


@pytest.mark.feature(199)
@pytest.mark.parametrize(
    ("of", "value"),
    [
        (npt.NDArray[np.complex128], np.array([[1j, -0.5], [2, 3 - 4j]])),
        (npt.NDArray[np.float64], np.array([0.1, -2.0])),
        (npt.NDArray[np.int8], np.array([[1], [-2]], dtype=np.int8)),
        (npt.NDArray[np.bool_], np.array([True, False])),
        (npt.NDArray[np.datetime64], np.array(["2024-02-29", "1970-01-01"], dtype="datetime64[D]")),
        (np.complex128, np.complex128(1 - 2j)),
        (np.float32, np.float32(0.1)),
        (np.timedelta64, np.timedelta64(90, "s")),
        (np.datetime64, np.datetime64("2024-02-29T01:02:03")),
        (np.str_, np.str_("a")),
    ],
)
def test_numpy_is_written_so_that_it_is_read_again(of: Any, value: Any) -> None:
    again = json.loads(json.dumps(value), of)
    assert type(again) is type(value)
    assert np.array_equal(again, value)
