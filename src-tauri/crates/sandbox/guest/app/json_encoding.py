"""Encodes values as JSON. A value that isn't JSON is refused with its path before anything is written."""

# Imported by name, since a script may replace `json.dumps`.
from json import dumps

MAX_DEPTH = 100
MIN_INT, MAX_INT = -(2**63), 2**64 - 1


class BadResult(ValueError):
    """The value can't be encoded as JSON."""


def encode(value: object, name: str) -> bytes:
    """Encode `value`, which errors call `name`."""
    check(value, name, 0)
    return dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def check(value: object, place: str, depth: int) -> None:
    """Raise for the first part of `value` that isn't JSON."""
    if value is None or value is True or value is False:
        return
    if isinstance(value, str):
        check_text(value, place)
    elif isinstance(value, int):
        if not MIN_INT <= value <= MAX_INT:
            raise BadResult(f"{place} is larger than 64 bits; convert it to a string")
    elif isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise BadResult(f"{place} is {value}, which isn't valid JSON")
    elif isinstance(value, dict):
        check_depth(place, depth)
        for key, item in value.items():
            if not isinstance(key, str):
                raise BadResult(f"{place} has the key {short(key)} of type {type(key).__name__}; JSON keys must be strings")
            check_text(key, f"a key of {place}")
            check(item, f"{place}[{short(key)}]", depth + 1)
    elif isinstance(value, (list, tuple)):
        check_depth(place, depth)
        for index, item in enumerate(value):
            check(item, f"{place}[{index}]", depth + 1)
    else:
        raise BadResult(f"{place} has the type {type(value).__name__}; use dict, list, str, int, float, bool or None")


def check_depth(place: str, depth: int) -> None:
    if depth >= MAX_DEPTH:
        raise BadResult(f"{place[:80]}… is nested more than {MAX_DEPTH} levels, or contains itself")


def check_text(text: str, place: str) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise BadResult(f"{place} contains a lone surrogate at index {error.start}") from None


def short(key: object) -> str:
    text = repr(key)
    return text if len(text) <= 40 else text[:39] + "…"
