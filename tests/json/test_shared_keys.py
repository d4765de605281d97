"""Dicts of one shape stand on one table of keys, and nobody can tell but by memory and speed.

Owns that such dicts behave like any dict, whatever is done to them; that the tables are in use
where they should be; that nothing leaks. Runs itself again with the tables switched off, with the
public API only, and under the allocator that checks every block.
"""

from __future__ import annotations

import copy
import enum
import gc
import importlib.util
import json as stdlib_json
import os
import pickle
import random
import sys
import threading
import weakref
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import octad
import pytest
from octad import _core, json

from tests.support import assert_same, block_growth, difference, run_again
from tests.testdata import data_path

OFF = os.environ.get("OCTAD_SHARED_KEYS") == "0" or os.environ.get("OCTAD_PUBLIC_API") == "1"
KNOWN = {(3, 11, 7), (3, 12, 1), (3, 13, 0)}
EXPECTED = sys.version_info[:3] in KNOWN and not hasattr(sys, "gettotalrefcount") and not OFF

NAMES = [
    "id",
    "name",
    "a longer name than one block",
    "x",
    "",
    "größe",
    "日本",
    'q"uote',
    "\x00nul",
]


def record(names: list[str], salt: int = 0) -> dict[str, Any]:
    """A dict with values of every kind."""
    kinds: list[Any] = [salt, f"text {salt}", None, salt / 3, [salt], {"in": salt}, True, [], {}]
    return {name: kinds[(number + salt) % len(kinds)] for number, name in enumerate(names)}


def loaded(value: dict[str, Any], count: int = 1) -> list[dict[str, Any]]:
    """Dicts of this content; the last ones are on a shared table, if any ever is."""
    text = stdlib_json.dumps([value] * (count + 2)).encode()
    made: list[dict[str, Any]] = json.loads(text)[2:]
    return made


def counts() -> dict[str, int]:
    return _core.shape_counts()


# --- In use ------------------------------------------------------------------------------------


def test_build_info_tells_whether_tables_are_shared() -> None:
    info = octad.build_info()
    assert info["shared_keys"] is EXPECTED
    assert (info["shared_keys_mode"] == "in use") is EXPECTED
    if OFF:
        assert "switched off" in info["shared_keys_mode"]


@pytest.mark.parametrize("name", ["citm_catalog", "twitter", "github"])
def test_nearly_all_records_of_real_documents_share(name: str) -> None:
    text = data_path("datasets", f"{name}.json").read_bytes()
    before = counts()
    json.loads(text)
    first = counts()
    json.loads(text)
    second = counts()
    if not EXPECTED:
        assert second == {"hits": 0, "misses": 0, "tables": 0}
        return
    assert first["tables"] > 0
    hits, misses = (second[key] - first[key] for key in ("hits", "misses"))
    assert hits > 50
    assert hits >= 0.95 * (hits + misses)
    if name == "citm_catalog":
        hits, misses = (first[key] - before[key] for key in ("hits", "misses"))
        assert hits >= 0.95 * (hits + misses)


@pytest.mark.parametrize("count", [*range(1, 46), 63, 64, 65, 85, 86, 200])
def test_shared_dicts_take_less_memory(count: int) -> None:
    (one,) = loaded({f"key {count} {number}": number for number in range(count)})
    plain = dict(one.items())
    if EXPECTED and count <= 28:
        assert sys.getsizeof(one) < sys.getsizeof(plain)
    assert sys.getsizeof({}) <= sys.getsizeof(one)
    if EXPECTED and count <= 64:
        assert sys.getsizeof(one) <= sys.getsizeof(plain)
    assert list(one) == list(plain)


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 49, 64, 65, 200])
@pytest.mark.parametrize("letter", ["k", "é", "日", "😀", "\n"])
def test_keys_of_every_length_and_kind(length: int, letter: str) -> None:
    value = {"first": 1, letter * length + "1": 2, letter * length + "2": [3]}
    assert_same(loaded(value, 3), [value] * 3)


def test_keys_that_differ_late_or_in_length_are_told_apart() -> None:
    keys = ["a" * 16, "a" * 17, "a" * 15 + "b", "a" * 40, "a" * 39 + "b", "a" * 41, "a", "aa", ""]
    values = [{key: key, "end": 1} for key in keys] * 4
    assert_same(json.loads(stdlib_json.dumps(values)), values)


def test_missing_more_and_reordered_keys_at_one_place() -> None:
    shuffle = random.Random(5).shuffle
    records = []
    for number in range(400):
        names = [name for bit, name in enumerate(NAMES) if number & 1 << bit]
        if number % 3 == 0:
            shuffle(names)
        records.append(record(names, number))
    for _ in range(3):
        assert_same(json.loads(stdlib_json.dumps({"rows": records})), {"rows": records})


@pytest.mark.parametrize("duplicates", ["last", "first"])
def test_equal_keys_stay_with_the_option(duplicates: Any) -> None:
    rows = b'[{"a":1,"b":2,"a":3},{"a":1,"b":2,"a":3},{"a":1,"b":2,"a":3},{"a":1,"b":2,"c":3}]'
    want = [{"a": 3 if duplicates == "last" else 1, "b": 2}] * 3 + [{"a": 1, "b": 2, "c": 3}]
    for _ in range(3):
        assert_same(json.loads(rows, duplicates=duplicates), want)


def test_a_key_equal_once_its_escape_is_read_is_a_duplicate() -> None:
    rows = rb'[{"ab":1,"a\u0062":2},{"ab":1,"a\u0062":2},{"ab":1,"a\u0062":2}]'
    assert json.loads(rows) == [{"ab": 2}] * 3


def test_escaped_keys_mean_what_their_option_says() -> None:
    rows = rb'[{"\ud800":1,"b":2},{"\ud800":1,"b":2},{"\ud800":1,"b":2}]'
    for _ in range(2):
        assert json.loads(rows, surrogates="keep") == [{"\ud800": 1, "b": 2}] * 3
        assert json.loads(rows, surrogates="replace") == [{"\ufffd": 1, "b": 2}] * 3
        with pytest.raises(octad.DecodeError):
            json.loads(rows)


def test_comments_between_keys_and_values() -> None:
    rows = "[" + ",".join(['{"a": 1, "b": [2]}'] * 4)
    rows += ', {/*1*/"a"/*2*/:/*3*/1/*4*/,/*5*/"b"/*6*/:/*7*/[2]/*8*/}, {"a": 1, "b": [2] /* */}]'
    assert json.loads(rows, comments=True) == [{"a": 1, "b": [2]}] * 6
    document = json.parse(rows, comments=True)
    assert document.to_python() == [{"a": 1, "b": [2]}] * 6


def test_documents_make_shared_dicts_too() -> None:
    value = [record(NAMES, number) for number in range(30)]
    document = json.parse(stdlib_json.dumps(value))
    for _ in range(3):  # after many unknown shapes only every 16th record is looked at
        document.to_python()
    before = counts()["hits"]
    assert_same(document.to_python(), value)
    assert (counts()["hits"] - before >= 20) is EXPECTED
    assert_same(document[3].to_python(), value[3])


def test_faults_in_the_middle_of_records_free_what_was_made() -> None:
    text = b'[{"a":1,"b":"x"},{"a":1,"b":"x"},{"a":"some text","b":1e999}]'

    def fail() -> None:
        with pytest.raises(octad.DecodeError):
            json.loads(text)

    fail()
    assert block_growth(fail, rounds=500) < 20


def test_decimals_are_values_like_others() -> None:
    value = json.loads(
        '[{"n": 1.5, "m": 2}, {"n": 1.5, "m": 2}, {"n": 1.5, "m": 2}]', floats="decimal"
    )
    assert [str(one["n"]) for one in value] == ["1.5"] * 3


# --- Behaving like any dict -----------------------------------------------------------------------


def grow(dict_: dict[Any, Any], key: Any) -> None:
    dict_[key] = len(dict_)


def remove(dict_: dict[Any, Any], key: Any) -> None:
    try:
        del dict_[key]
    except KeyError:
        pass


OPERATIONS: list[Callable[[dict[Any, Any], Any, dict[Any, Any]], object]] = [
    lambda d, key, other: grow(d, key),
    lambda d, key, other: grow(d, key),
    lambda d, key, other: remove(d, key),
    lambda d, key, other: d.pop(key, "none"),
    lambda d, key, other: d.popitem() if d else None,
    lambda d, key, other: d.update(other),
    lambda d, key, other: d.update({key: 1, "fresh": 2}),
    lambda d, key, other: d.setdefault(key, [1]),
    lambda d, key, other: d.get(key),
    lambda d, key, other: key in d,
    lambda d, key, other: d | other,
    lambda d, key, other: other | d,
    lambda d, key, other: d.__ior__({key: 3}),
    lambda d, key, other: {**d, key: 4},
    lambda d, key, other: {**other, **d},
    lambda d, key, other: d.copy(),
    lambda d, key, other: grow(d.copy(), key),
    lambda d, key, other: dict(d),
    lambda d, key, other: dict(d.items()),
    lambda d, key, other: copy.deepcopy(d),
    lambda d, key, other: copy.copy(d),
    lambda d, key, other: pickle.loads(pickle.dumps(d)),
    lambda d, key, other: OrderedDict(d),
    lambda d, key, other: defaultdict(int, d),
    lambda d, key, other: dict.fromkeys(d, 7),
    lambda d, key, other: list(reversed(d.items())),
    lambda d, key, other: list(d.keys() & other.keys()) and None,
    lambda d, key, other: d == other,
    lambda d, key, other: len(d),
    lambda d, key, other: list(d.values()),
    lambda d, key, other: repr(d),
    lambda d, key, other: d.clear() if key == "x" else None,
    lambda d, key, other: stdlib_json.dumps({str(k): v for k, v in d.items()}),
    lambda d, key, other: (lambda **given: given)(**{k: v for k, v in d.items() if type(k) is str}),
    lambda d, key, other: (lambda **given: given)(**d) if all(type(k) is str for k in d) else None,
]


@pytest.mark.parametrize("seed", range(24))
def test_random_changes_do_what_they_do_to_plain_dicts(seed: int) -> None:
    dice = random.Random(seed)
    names = dice.sample(NAMES, dice.randint(1, len(NAMES)))
    if seed % 2 == 0:
        names += [
            f"more {number}"
            for number in range(
                dice.choice([3, 12, 19, 20, 28 - len(names), 33, 42 - len(names), 50])
            )
        ]
    plain = [record(names, number) for number in range(6)]
    text = stdlib_json.dumps([plain[0], plain[0], *plain])
    shared = json.loads(text)[2:]
    keys: list[Any] = [*names, "new", "newer", "newest", "nth", 5, (1, 2), None, Name.ID, Sub("x")]
    for step in range(400):
        at = dice.randrange(len(plain))
        other = dice.randrange(len(plain))
        operation, key = dice.choice(OPERATIONS), dice.choice(keys)
        if at == other:
            continue
        got = operation(shared[at], key, shared[other])
        want = operation(plain[at], key, plain[other])
        assert type(got) is type(want), (seed, step)
        assert got == want, (seed, step)
        if isinstance(want, dict):
            assert list(got) == list(want), (seed, step)  # type: ignore[call-overload]
        for one, two in zip(shared, plain, strict=True):
            assert list(one.items()) == list(two.items()), (seed, step)
        if step % 100 == 50:
            gc.collect()
            again = json.loads(text)
            assert again[2:] == [record(names, number) for number in range(6)], (seed, step)


class Name(enum.StrEnum):
    ID = "id"
    NEW = "new"


class Sub(str):
    """A str of another class."""

    __slots__ = ()


@pytest.mark.parametrize("kind", [Name, Sub])
def test_keys_of_subclasses_of_str(kind: Callable[[str], str]) -> None:
    one, two = loaded({"id": 1, "name": "n"}, 2)
    assert one[kind("id")] == 1
    assert kind("new") not in one
    one[kind("id")] = 5
    assert list(one.items()) == [("id", 5), ("name", "n")]
    one[kind("new")] = 6
    assert one["new"] == 6
    assert one.pop(kind("new")) == 6
    assert two == {"id": 1, "name": "n"}
    del two[kind("id")]
    assert two == {"name": "n"}
    assert two.setdefault(kind("id"), 3) == 3
    assert list(two) == ["name", "id"]


def test_a_new_key_is_in_one_dict_only() -> None:
    dicts = loaded({"id": 1, "name": "n"}, 6)
    for number, one in enumerate(dicts):
        one[f"own {number}"] = number
    for number, one in enumerate(dicts):
        assert list(one) == ["id", "name", f"own {number}"]
        assert f"own {number + 1}" not in one
    assert loaded({"id": 1, "name": "n"}) == [{"id": 1, "name": "n"}]


def test_keys_deleted_and_set_again_come_last() -> None:
    one, two = loaded({"a": 1, "b": 2, "c": 3}, 2)
    del one["a"]
    one["z"] = 9
    one["a"] = 4
    assert list(one.items()) == [("b", 2), ("c", 3), ("z", 9), ("a", 4)]
    assert list(reversed(one)) == ["a", "z", "c", "b"]
    assert list(two.items()) == [("a", 1), ("b", 2), ("c", 3)]


def test_changes_while_iterating_are_noticed() -> None:
    (one,) = loaded({"a": 1, "b": 2})
    seen = iter(one)
    assert next(seen) == "a"
    one["c"] = 3
    with pytest.raises(RuntimeError, match="changed size"):
        next(seen)


def test_every_capacity_takes_many_new_keys() -> None:
    for count in (*range(1, 45), 63, 64, 65, 84, 85, 86):
        base: dict[str, Any] = {f"{number}": number for number in range(count)}
        one, two = loaded(base, 2)
        want = dict(base)
        for number in range(60):
            one[f"new {number}"] = want[f"new {number}"] = [number]
            assert one == want
        assert list(one) == list(want)
        assert two == base
        while one:
            assert one.popitem() == want.popitem()


def test_as_the_dict_of_an_object() -> None:
    class Thing:
        id: int
        other: int

    class Slotted:
        __slots__ = ("__dict__",)

    def read(thing: Any) -> int:
        return int(thing.id)

    def write(thing: Any, value: int) -> None:
        thing.id = value
        thing.other = value

    for kind in (Thing, Slotted):
        for _ in range(40):
            thing: Any = kind()
            (one,) = loaded({"id": 1, "name": "n"})
            thing.__dict__ = one
            for number in range(20):
                write(thing, number)
                assert read(thing) == number
            assert one == {"id": 19, "name": "n", "other": 19}
            del thing.id
            assert vars(thing) == {"name": "n", "other": 19}
            copied = copy.copy(thing)
            assert vars(copied) == vars(thing)


def test_as_the_names_of_a_program() -> None:
    code = compile("total = sum(number + len(name) for _ in range(3))\nnumber = total", "x", "exec")
    for _ in range(30):
        (names,) = loaded({"number": 2, "name": "abc"})
        exec(code, names)
        assert names.pop("__builtins__")
        assert names == {"number": 15, "name": "abc", "total": 15}
        (local,) = loaded({"number": 2, "name": "abc"})
        exec("number += len(name)\nfresh = number", {}, local)
        assert local == {"number": 5, "name": "abc", "fresh": 5}
        assert eval("number * 2", {}, local) == 10


def test_a_function_that_reads_its_globals_often() -> None:
    for _ in range(20):
        (names,) = loaded({"number": 2, "name": "abc"})
        exec("def read():\n    return number, len(name), abs(-1)", names)
        read = names["read"]
        assert [read() for _ in range(40)] == [(2, 3, 1)] * 40
        names["number"] = 7
        names["len"] = lambda text: 99
        assert read() == (7, 99, 1)
        del names["len"]
        assert read() == (7, 3, 1)
        del names["number"]
        with pytest.raises(NameError):
            read()


def test_as_the_body_of_a_class() -> None:
    for _ in range(30):
        (body,) = loaded({"number": 2, "name": "abc"})
        made: Any = type("Made", (), body)
        assert (made.number, made().name) == (2, "abc")
        made.number = 3
        made.other = 4
        assert (made().number, made.other) == (3, 4)
        del made.name
        assert not hasattr(made, "name")
        assert body == {"number": 2, "name": "abc"}


@pytest.mark.parametrize("name", ["orjson", "ssrjson", "msgspec.json", "ujson"])
def test_other_libraries_write_them(name: str) -> None:
    if importlib.util.find_spec(name.partition(".")[0]) is None:
        pytest.skip(f"{name} is not installed")
    module = importlib.import_module(name)
    write: Callable[[Any], Any] = getattr(module, "dumps", None) or module.encode
    value = {"id": 1, "name": "größe", "tags": ["a", {"b": None}], "f": 1.5}
    (one,) = loaded(value)
    assert stdlib_json.loads(write(one)) == value
    one["new"] = 1
    del one["id"]
    assert list(stdlib_json.loads(write(one)).items()) == list(one.items())


def test_dumps_writes_them_as_any_dict() -> None:
    dicts = loaded(record(NAMES, 3), 3)
    dicts[0]["new"] = 1
    del dicts[1]["id"]
    for one in dicts:
        assert json.dumps(one) == json.dumps(dict(one.items()))
        assert json.dumps(one, sort_keys=True) == json.dumps(dict(one.items()), sort_keys=True)


def test_threads_change_their_own_dicts() -> None:
    text = stdlib_json.dumps([record(NAMES, number) for number in range(50)])
    failures: list[str] = []
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def work(number: int) -> None:
        for turn in range(10):
            got, want = json.loads(text), stdlib_json.loads(text)
            for at, (one, two) in enumerate(zip(got, want, strict=True)):
                for dict_ in (one, two):
                    dict_[f"thread {number} {at % 4}"] = turn
                    dict_.pop("name", None)
                    dict_["id"] = at
            found = difference(got, want)
            if found is not None:
                failures.append(found)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(before)
    assert not failures


# --- Collection and memory ------------------------------------------------------------------------


def test_collected_when_and_only_when_it_may_be_in_a_cycle() -> None:
    texts, lists, empties = json.loads(
        '[[{"a":1,"b":"x"},{"a":1,"b":"x"},{"a":1,"b":"x"},{"a":2.5,"b":null}],'
        ' [{"a":1,"b":[2]},{"a":1,"b":[2]},{"a":1,"b":[2]}],'
        ' [{"a":1,"b":{}},{"a":1,"b":[]},{"a":1,"b":{}}]]'
    )
    assert [gc.is_tracked(one) for one in texts] == [sys.version_info >= (3, 14)] * 4
    assert all(gc.is_tracked(one) for one in (*lists, *empties))
    texts[2]["b"] = texts
    assert gc.is_tracked(texts[2])


class Witness:
    """Something that a weak reference can watch."""


def test_cycles_through_shared_dicts_are_collected() -> None:
    one, two = loaded({"a": 1, "b": [2]}, 2)
    witness = Witness()
    one["c"], one["b"], two["a"] = witness, two, one
    watch = weakref.ref(witness)
    del one, two, witness
    gc.collect()
    assert watch() is None


def test_values_die_with_their_dict_or_their_key() -> None:
    (one,) = loaded({"a": 1, "b": 2})
    watches = []
    for key in ("a", "b", "c", "d", "e", "f"):
        witness = Witness()
        watches.append(weakref.ref(witness))
        one[key] = witness
        del witness
    one["a"] = 1
    assert watches[0]() is None
    del one["b"]
    assert watches[1]() is None
    one.pop("c")
    assert watches[2]() is None
    one.popitem()
    assert watches[5]() is None
    del one
    assert [watch() for watch in watches] == [None] * 6


def test_references_of_keys_and_values_balance() -> None:
    (one,) = loaded({"balance key": 1, "b": [1]})
    key, value = next(iter(one)), one["b"]
    before = sys.getrefcount(key), sys.getrefcount(value)
    for _ in range(50):
        many = loaded({"balance key": 1, "b": [1]}, 5)
        many[0]["x"] = value
        many[1].update(many[0])
        many[2]["b"] = many[3]
        many[4].clear()
        del many
    gc.collect()
    assert sys.getrefcount(value) == before[1]
    # A renewed table holds the key once more, the one before may live in `one`.
    assert sys.getrefcount(key) <= before[0] + 2


def test_nothing_is_left_behind() -> None:
    text = stdlib_json.dumps([record(NAMES, number) for number in range(40)])

    def use() -> None:
        value = json.loads(text)
        for number, one in enumerate(value):
            one[f"new {number % 5}"] = value
            one.pop("name", None)
            one.copy().update(one)
        value.clear()

    for _ in range(5):
        use()
    gc.collect()
    assert block_growth(use, rounds=200, warm=20) < 50


def test_ever_new_shapes_do_not_pile_up() -> None:
    def use() -> None:
        for number in range(60):
            names = [f"{number * 7919 % 10007} {at} {random.random()}" for at in range(8)]
            json.loads(stdlib_json.dumps([dict.fromkeys(names, 1)] * 4))

    for _ in range(25):
        use()
    before = counts()["tables"]
    use()
    gc.collect()
    assert counts()["tables"] <= max(before, 512)
    assert block_growth(use, rounds=30, warm=5) < 4000


# --- Other ways ---------------------------------------------------------------------------------


@pytest.mark.skipif(
    "OCTAD_TEST_WAY" in os.environ,
    reason="run by this very test in another way: it would start itself again",
)
@pytest.mark.parametrize(
    "way",
    [{"OCTAD_SHARED_KEYS": "0"}, {"OCTAD_PUBLIC_API": "1"}, {"PYTHONMALLOC": "debug"}],
    ids=["off", "public", "debug-allocator"],
)
def test_the_same_holds_the_other_ways(way: dict[str, str]) -> None:
    run_again(__file__, way)
