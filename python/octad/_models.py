"""`load_into` for pydantic models: what the data has is validated together with what the model has.

pydantic has no way to fill a model, so a new one is validated and the fields that the data has are
taken over from it. Models in such fields are filled in their turn, so they stay the same objects.
Nothing is changed before all is validated, and pydantic is never imported here.
"""

from __future__ import annotations

from typing import Any

from octad._contract.sources import is_root_model, pydantic_maker


def is_model(value: Any) -> bool:
    """Whether it is an instance of a model."""
    return hasattr(type(value), "__pydantic_fields__") and hasattr(value, "__pydantic_fields_set__")


def can_be_filled(model: Any) -> bool:
    """Whether a model has fields, which may change."""
    cls = type(model)
    return is_model(model) and not is_root_model(cls) and not _config(cls).get("frozen")


def filler(model: Any, fill: Any) -> Any:
    """Makes a `_Fill` of the model out of a plain dict, once that is validated."""

    def validate(data: dict[str, Any]) -> Any:
        made = pydantic_maker(type(model))(_merged(model, data))
        return _taken_over(model, made, data, fill)

    return validate


def _taken_over(model: Any, made: Any, data: dict[str, Any], fill: Any) -> Any:
    """What a model gets of a validated one: the fields that the data has, and further members."""
    values: dict[str, Any] = {}
    names = _given(model, data)
    for name, given in names.items():
        old, new, part = getattr(model, name, None), getattr(made, name), data[given]
        if _is_filled(old, part) and type(new) is type(old):
            new = _taken_over(old, new, part, fill)
        values[name] = new
    extra = made.__pydantic_extra__ or {}
    return fill(model, values, {key: extra[key] for key in data if key in extra}, names)


def _is_filled(old: Any, part: Any) -> bool:
    """Whether a part of the data fills what is there, and does not replace it."""
    return isinstance(part, dict) and is_model(old) and can_be_filled(old)


def _config(cls: Any) -> Any:
    return getattr(cls, "model_config", None) or {}


def _names(info: Any, name: str) -> list[Any]:
    """The names that a field has in data, the first that pydantic would take in front."""
    alias = info.validation_alias
    if alias is None:
        return [name]
    choices = getattr(alias, "choices", [alias])
    return [one for one in choices if isinstance(one, str)] or [name]


def _given(model: Any, data: dict[str, Any]) -> dict[str, str]:
    """The fields that the data has, and the name of each in it."""
    found = {}
    for name, info in type(model).__pydantic_fields__.items():
        for one in (*_names(info, name), name):
            if one in data:
                found[name] = one
                break
    return found


def _merged(model: Any, data: dict[str, Any]) -> dict[str, Any]:
    """What the validator gets: the data, and in its gaps what the model has."""
    cls = type(model)
    # A strict model is validated as JSON, so there the gaps are filled as JSON has it.
    strict = bool(_config(cls).get("strict"))
    merged = dict(data)
    fields = _given(model, data)
    for name, info in cls.__pydantic_fields__.items():
        old = getattr(model, name, None)
        if name not in fields:
            if name in model.__pydantic_fields_set__ or info.is_required():
                merged[_names(info, name)[0]] = _plain(model, name, old, strict)
            continue
        given = fields[name]
        new = data[given]
        if _is_filled(old, new):
            merged[given] = _merged(old, new)
        elif isinstance(new, dict) and type(old) is dict:
            merged[given] = {**_plain(model, name, old, strict), **new}
    return merged


def _plain(model: Any, name: str, value: Any, strict: bool) -> Any:
    if not strict:
        return value
    return model.model_dump(mode="json", by_alias=False, include={name})[name]


def change(model: Any, values: dict[str, Any], names: Any, extra: dict[str, Any]) -> None:
    """Gives a model what was validated: values of fields, the names of those that are set now."""
    model.__dict__.update(values)
    # New ones: the old ones are what the model goes back to if another object refuses.
    fields_set = model.__pydantic_fields_set__ | set(names) | set(extra)
    object.__setattr__(model, "__pydantic_fields_set__", fields_set)
    if extra:
        kept = {**(model.__pydantic_extra__ or {}), **extra}
        object.__setattr__(model, "__pydantic_extra__", kept)
