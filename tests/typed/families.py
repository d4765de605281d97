"""A family of classes that are told apart by tags; the first says which may stand for it."""

from __future__ import annotations

from dataclasses import dataclass

from octad import contract


@contract(tag=True, tag_field="kind", allow=lambda: (Sword, "Bow"))
@dataclass
class Weapon:
    damage: int


@dataclass
class Sword(Weapon):
    edge: int = 1


@contract(tag="long-bow")
@dataclass
class Bow(Weapon):
    range: int = 10


@dataclass
class Katana(Sword):
    age: int = 0
