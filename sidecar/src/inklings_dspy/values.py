"""Converts field values between JSON and Python."""

from typing import Any

import dspy
import orjson
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from inklings_dspy.errors import Invalid

MAX_DEPTH = 32
_LENIENT = ConfigDict(coerce_numbers_to_str=True)


def plain(value: Any) -> Any:
    """A value as JSON; other types become text."""
    return to_jsonable_python(value, fallback=str, inf_nan_mode="null")


def depth(value: Any, most: int = MAX_DEPTH) -> int:
    """Nesting depth of objects and lists, up to `most` + 1."""
    if not isinstance(value, dict | list) or most < 0:
        return 0
    children = value.values() if isinstance(value, dict) else value
    return 1 + max((depth(child, most - 1) for child in children), default=0)


def inputs(signature: type[dspy.Signature], given: dict[str, Any]) -> dict[str, Any]:
    """The values of the signature's inputs. Raises `Invalid` for one that is missing or of the wrong type."""
    missing = [name for name in signature.input_fields if name not in given]
    if missing:
        raise Invalid(f"missing value for {', '.join(repr(name) for name in missing)}")
    return {name: _input(name, field.annotation, given[name]) for name, field in signature.input_fields.items()}


def _input(name: str, annotation: Any, value: Any) -> Any:
    if depth(value) > MAX_DEPTH:
        raise Invalid(f"the value of {name!r} is nested too deeply")
    # A text field accepts any value; prompts contain it as JSON.
    if annotation is str:
        return value
    try:
        return TypeAdapter(annotation, config=_LENIENT).validate_json(orjson.dumps(value))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = "".join(f"[{part!r}]" for part in first["loc"])
        raise Invalid(f"the value of {name!r} has the wrong type: {place} {first['msg']}".replace("  ", " ")) from None
