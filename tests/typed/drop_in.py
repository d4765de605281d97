"""What type checkers see: this file is checked by mypy and pyright, and never run.

A line with `# E: words` is a mistake that a checker has to find; every other line has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypedDict, assert_type

import octad
from octad import json


@dataclass
class Player:
    name: str
    level: Annotated[int, octad.Field(name="lvl", ge=1)] = 1


class Pair(NamedTuple):
    a: int
    b: str


class Movie(TypedDict):
    title: str


data = b"{}"

# A type in, its instances out.
assert_type(json.loads(data, Player), Player)
assert_type(json.loads("{}", list[Player]), list[Player])
assert_type(json.loads(data, dict[str, Player]), dict[str, Player])
assert_type(json.loads(bytearray(data), tuple[int, str]), tuple[int, str])
assert_type(json.loads(memoryview(data), int), int)
assert_type(json.loads(data, Pair), Pair)
assert_type(json.loads(data, Movie), Movie)
assert_type(json.loads(data, Player, rename="camel"), Player)
assert_type(json.loads(data, Player, settings=octad.Settings(rename="camel")), Player)
assert_type(json.load("a.json", Player), Player)
assert_type(json.load(Path("a.json"), list[int]), list[int])
assert_type(octad.load("a.json", Player), Player)

# Forms that are no classes.
assert_type(json.loads(data, int | None), int | None)
assert_type(json.loads(data, Player | list[Player]), Player | list[Player])
assert_type(json.loads(data, Annotated[int, octad.Field(ge=1)]), int)
assert_type(json.loads(data, Literal["a", "b"]), Literal["a", "b"])
assert_type(json.loads(data, Mapping[str, int]), Mapping[str, int])
assert_type(json.loads(data, list[Player | None]), list[Player | None])

# Without a type there is nothing to say.
untyped: Any = json.loads(data)
untyped.anything()
not_known: object = json.loads(data, Any)

# Decoders, encoders, documents, checks.
decoder = json.Decoder(Player)
assert_type(decoder.loads(data), Player)
assert_type(json.Decoder(list[int], settings=octad.Settings()).loads(data), list[int])
assert_type(json.Decoder(int | None).loads(data), int | None)
assert_type(json.parse(data).to(Player), Player)
assert_type(json.parse(data).to(list[int] | None), list[int] | None)
assert_type(json.check(data, Player), list[octad.Problem])
assert_type(json.dumps(Player("a")), bytes)
assert_type(json.dumps_str(Player("a")), str)
assert_type(json.dumps(Player("a"), rename="camel", omit_none=True, references=True), bytes)
assert_type(json.dumps_str(Player("a"), dates="epoch", rename=str.upper), str)
assert_type(json.Encoder().dumps(Player("a")), bytes)
assert_type(json.Encoder(rename={"a": "b"}, converters=[]).dumps(Player("a")), bytes)
json.dump(Player("a"), "a.json", omit_defaults=True, zones="utc")
assert_type(octad.describe(Player), str)
assert_type(octad.describe(int | None), str)
assert_type(octad.schema(list[Player]), dict[str, Any])

# Classes stay what they are under the decorators.


@octad.contract(rename="camel", tag=True)
@dataclass
class Weapon:
    damage: int

    @octad.constructor
    @classmethod
    def of(cls, text: str) -> Weapon:
        return cls(int(text))


assert_type(Weapon(1), Weapon)
assert_type(Weapon.of("1"), Weapon)
assert_type(json.loads(data, Weapon), Weapon)


class WeaponConverter(octad.Converter[Weapon]):
    def read(self, r: Any) -> Weapon:
        return Weapon(r.read(int))

    def write(self, w: octad.Writer, v: Weapon) -> None:
        w.value(v.damage)


settings = octad.Settings(converters=[WeaponConverter()], unknown="forbid", dates="epoch")

# Mistakes.
player = json.loads(data, Player)
print(player.nope)  # E: "Player" has no attribute / Cannot access attribute
print(decoder.loads(data).nope)  # E: "Player" has no attribute / Cannot access attribute
json.loads(data, Player, renam="camel")  # E: call-overload / No overloads
json.dumps(player, renam="camel")  # E: Unexpected keyword argument / No parameter named
json.dumps(player, cycles="never")  # E: arg-type / not assignable
octad.Settings(unknown="keeps")  # E: arg-type / cannot be assigned
octad.Field(zones="here")  # E: arg-type / cannot be assigned
wrong: str = json.loads(data, Player)  # E: Incompatible types / not assignable
