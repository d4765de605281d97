"""Naming policies: what a Python name is called in the data.

Owns the words of `rename=` and `rename_keys=` and their rules. Knows no types and no fields; a
policy is a function from name to name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

Policy = Callable[[str], str]
Rename = str | Mapping[str, str] | Callable[[str], str | None] | None


def words(name: str) -> list[str]:
    """The words of a name, from underscores, hyphens and capitals.

    >>> words("user_id"), words("parseHTTPResponse"), words("item2_count")
    (['user', 'id'], ['parse', 'HTTP', 'Response'], ['item2', 'count'])
    """
    found: list[str] = []
    for part in name.replace("-", "_").split("_"):
        start = 0
        for at in range(1, len(part)):
            here, before = part[at], part[at - 1]
            after = part[at + 1] if at + 1 < len(part) else ""
            if here.isupper() and (not before.isupper() or (after and after.islower())):
                found.append(part[start:at])
                start = at
        if part[start:]:
            found.append(part[start:])
    return found


def _edges(name: str) -> tuple[str, str, str]:
    """Leading underscores, the name itself, trailing underscores."""
    core = name.strip("_")
    if not core:
        return "", name, ""
    at = name.index(core)
    return name[:at], core, name[at + len(core) :]


def _camel(name: str) -> str:
    lead, core, trail = _edges(name)
    parts = words(core)
    if not parts:
        return name
    first = parts[0].lower()
    return lead + first + "".join(_capital(part) for part in parts[1:]) + trail


def _pascal(name: str) -> str:
    lead, core, trail = _edges(name)
    return lead + "".join(_capital(part) for part in words(core)) + trail if words(core) else name


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:].lower()


def _joined(name: str, mark: str, upper: bool) -> str:
    lead, core, trail = _edges(name)
    parts = words(core)
    if not parts:
        return name
    text = mark.join(parts)
    return lead + (text.upper() if upper else text.lower()) + trail


POLICIES: dict[str, Policy] = {
    "none": lambda name: name,
    "camel": _camel,
    "pascal": _pascal,
    "snake": lambda name: _joined(name, "_", False),
    "kebab": lambda name: _joined(name, "-", False),
    "upper_snake": lambda name: _joined(name, "_", True),
    "lower": str.lower,
    "upper": str.upper,
}


class Names(Mapping[str, str]):
    """A mapping of names that is hashable, so that settings with one are."""

    __slots__ = ("_hash", "_names")

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = dict(names)
        for name, other in self._names.items():
            if not isinstance(name, str) or not isinstance(other, str):
                raise TypeError(f"rename: expected names as str, found {name!r}: {other!r}")
        self._hash = hash(frozenset(self._names.items()))

    def __getitem__(self, name: str) -> str:
        return self._names[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return repr(self._names)


def normal(value: object, option: str = "rename") -> Rename:
    """Checks what was given for `rename=`: a mapping becomes hashable.

    >>> normal({"id": "_id"})
    {'id': '_id'}

    Raises:
        ValueError: a text that is no policy.
        TypeError: neither text, mapping nor callable.
    """
    if value is None:
        return None
    if isinstance(value, str):
        if value not in POLICIES:
            known = ", ".join(POLICIES)
            raise ValueError(f"{option}: expected a policy among {known}, found {value!r}")
        return value
    if isinstance(value, Names):
        return value
    if isinstance(value, Mapping):
        return Names(value)
    if callable(value):
        return value
    raise TypeError(
        f"{option}: expected a policy by name, a mapping or a callable, "
        f"found {type(value).__name__}"
    )


def policy(value: Rename) -> Policy | None:
    """The function of a policy; None where names stay as they are.

    >>> policy("camel")("user_id")
    'userId'
    >>> policy({"id": "_id"})("name")
    'name'
    """
    if value is None or value == "none":
        return None
    if isinstance(value, str):
        return POLICIES[value]
    if isinstance(value, Mapping):
        names = value
        return lambda name: names.get(name, name)
    given = value

    def named(name: str) -> str:
        answer = given(name)
        if answer is None:
            return name
        if not isinstance(answer, str):
            raise TypeError(f"rename: expected a str for {name!r}, found {type(answer).__name__}")
        return answer

    return named
