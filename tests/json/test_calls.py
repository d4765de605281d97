"""How the verbs are called: every form of call, its errors, names and signatures.

Owns the calling itself. A call of one argument without keywords takes a way of its own, so each
form is tried on each verb; what the verbs do is tested elsewhere.
"""

from __future__ import annotations

import gc
import inspect
import pickle
import sys
from collections.abc import Callable
from typing import Any

import octad
import pytest
from octad import json

from tests.support import block_growth

DECODER = json.Decoder()
ENCODER = json.Encoder()
NO_OPTIONS: dict[str, Any] = {}

# verb, an argument, its parameter, whether that is positional only, where options are taken
FUNCTIONS = [
    (json.loads, b"[1]", "data", True, True),
    (json.parse, b"[1]", "data", True, True),
    (json.check, b"[1]", "data", True, True),
    (json.dumps, [1], "value", False, True),
    (json.dumps_str, [1], "value", False, True),
]
METHODS = [
    (DECODER.loads, b"[1]", "data", True, False),
    (DECODER.parse, b"[1]", "data", True, False),
    (DECODER.check, b"[1]", "data", True, False),
    (ENCODER.dumps, [1], "value", False, False),
    (ENCODER.dumps_str, [1], "value", False, False),
]
VERBS = [*FUNCTIONS, *METHODS]
# These take a type as well.
TYPED = {json.loads, json.check}
NAMES = [verb.__qualname__ for verb, *_ in VERBS]

Verb = Callable[..., Any]
each_verb = pytest.mark.parametrize(
    ("verb", "given", "parameter", "positional", "options"), VERBS, ids=NAMES
)


def message(call: Callable[[], Any]) -> str:
    """The text of the TypeError that `call` raises."""
    with pytest.raises(TypeError) as caught:
        call()
    assert type(caught.value) is TypeError
    return str(caught.value)


@each_verb
def test_forms_that_are_right(
    verb: Verb, given: Any, parameter: str, positional: bool, options: bool
) -> None:
    plain = verb(given)
    assert verb(*[given]) == plain
    assert verb(given, **NO_OPTIONS) == plain
    if not positional:
        assert verb(**{parameter: given}) == plain
    if options:
        assert verb(given, settings=octad.Settings()) == plain
        assert verb(given, nan="error", limits=octad.Limits()) == plain


@each_verb
def test_forms_that_are_wrong(
    verb: Verb, given: Any, parameter: str, positional: bool, options: bool
) -> None:
    name = verb.__qualname__
    missing = f"{name}() missing 1 required positional argument: '{parameter}'"
    assert message(verb) == missing
    if verb not in TYPED:
        takes = f"{name}() takes 1 positional argument"
        assert message(lambda: verb(given, given)).startswith(takes)
        assert message(lambda: verb(given, given)).endswith(" but 2 were given")
        assert "takes 1 positional" in message(lambda: verb(given, 2, wrong=1))
    assert message(lambda: verb(given, 2, 3)).endswith(" but 3 were given")
    wrong = "unknown option `wrong`" if options else "unexpected keyword argument 'wrong'"
    assert wrong in message(lambda: verb(given, wrong=1))
    by_name = message(lambda: verb(given, **{parameter: given}))
    if not positional:
        assert by_name == f"{name}() got multiple values for argument '{parameter}'"
    elif options:
        assert f"unknown option `{parameter}`" in by_name
        assert message(lambda: verb(**{parameter: given})) == missing
    else:
        only = f"positional-only arguments passed as keyword arguments: '{parameter}'"
        assert only in by_name
        assert only in message(lambda: verb(**{parameter: given}))


@pytest.mark.parametrize("verb", [verb for verb, *_ in FUNCTIONS[:3]], ids=NAMES[:3])
def test_wrong_values_of_options(verb: Verb) -> None:
    assert "option `floats`: expected a str" in message(lambda: verb(b"1", floats=3))
    assert "expected bytes" in message(lambda: verb(3))
    assert "expected bytes" in message(lambda: verb(3, nan="error"))


@each_verb
def test_names_and_signatures(
    verb: Verb, given: Any, parameter: str, positional: bool, options: bool
) -> None:
    parameters = inspect.signature(verb).parameters
    first = parameters[parameter]
    kind = inspect.Parameter.POSITIONAL_ONLY if positional else first.POSITIONAL_OR_KEYWORD
    assert next(iter(parameters)) == parameter
    assert first.kind is kind
    assert ("settings" in parameters) is options
    assert "--" not in (verb.__doc__ or "--")
    assert repr(verb).startswith(f"<built-in {'function' if options else 'method'} ")


@pytest.mark.parametrize("verb", [verb for verb, *_ in FUNCTIONS], ids=NAMES[:5])
def test_functions_are_pickled_by_name(verb: Verb) -> None:
    assert pickle.loads(pickle.dumps(verb)) is verb
    assert getattr(sys.modules[verb.__module__], verb.__name__) is verb


@pytest.mark.parametrize("method", ["loads", "parse", "dumps", "dumps_str"])
def test_methods_see_to_their_owner(method: str) -> None:
    owner: Any = json.Decoder if hasattr(json.Decoder, method) else json.Encoder
    unbound = getattr(owner, method)
    given = b"[1]" if owner is json.Decoder else [1]
    assert type(unbound).__name__ == "method_descriptor"
    assert unbound.__qualname__ == f"{owner.__name__}.{method}"
    assert unbound(owner(), given) == getattr(owner(), method)(given)
    assert "doesn't apply to a 'int' object" in message(lambda: unbound(1, given))
    assert "doesn't apply to a 'int' object" in message(lambda: unbound(1))
    assert "needs an argument" in message(lambda: unbound())
    assert "missing 1 required" in message(lambda: unbound(owner()))


def test_methods_use_their_options() -> None:
    assert str(json.Decoder(floats="decimal").loads(b"2.50")) == "2.50"
    assert json.Decoder(comments=True).parse(b"[/**/1]") == [1]
    assert json.Encoder(indent=1).dumps([1]) == b"[\n 1\n]"
    assert json.Encoder(escape="ascii").dumps_str("é") == '"\\u00e9"'


def use_every_form() -> None:
    """Each verb in each form, right and wrong."""
    for verb, given, parameter, *_ in VERBS:
        verb(given)
        forms: list[Callable[[], Any]] = [
            verb,
            lambda verb=verb, given=given: verb(given, given),
            lambda verb=verb, given=given: verb(given, wrong=given),
            lambda verb=verb, given=given: verb(given, nan="error"),
            lambda verb=verb, given=given, name=parameter: verb(**{name: given}),
            lambda verb=verb, given=given, name=parameter: verb(given, **{name: given}),
            lambda verb=verb: verb(object()),
            lambda verb=verb: verb(b"[1"),
        ]
        for form in forms:
            try:
                form()
            except (TypeError, octad.Error):
                pass


def test_no_form_leaves_anything_behind() -> None:
    gc.collect()
    assert block_growth(use_every_form) < 100


def test_references_of_arguments_and_owners() -> None:
    data = b'{"a": [1, 2, 3]}' + b" " * 1000
    value = [object.__new__(type("Odd", (), {})), 1]
    decoder, encoder = json.Decoder(), json.Encoder()
    before = [sys.getrefcount(item) for item in (data, value, decoder, encoder)]
    for _ in range(100):
        decoder.loads(data), decoder.parse(data), json.loads(data), json.parse(data)
        with pytest.raises(octad.EncodeError):
            encoder.dumps(value)
        with pytest.raises(TypeError):
            decoder.loads(data, wrong=data)  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            json.loads(data, wrong=data)  # type: ignore[call-arg]
    after = [sys.getrefcount(item) for item in (data, value, decoder, encoder)]
    assert after == before
