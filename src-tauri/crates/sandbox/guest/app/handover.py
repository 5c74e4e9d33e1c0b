"""Values on their way out: what is no JSON is refused by its place, before a line of JSON is written."""

# The function itself: a script may replace what the module calls so.
from json import dumps

DEEPEST = 100
SMALLEST, LARGEST = -(2**63), 2**64 - 1


class BadResult(ValueError):
    """A value that can't be handed over as JSON."""


def encode(value: object, name: str) -> bytes:
    """JSON of `value`, which messages call `name`."""
    check(value, name, 0)
    return dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def check(value: object, place: str, depth: int) -> None:
    """Raises for the first part of `value` that is no JSON."""
    if value is None or value is True or value is False:
        return
    if isinstance(value, str):
        check_text(value, place)
    elif isinstance(value, int):
        if not SMALLEST <= value <= LARGEST:
            raise BadResult(f"{place} is a number of more than 64 bits; hand it over as a string")
    elif isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise BadResult(f"{place} is {value}, which JSON does not have")
    elif isinstance(value, dict):
        check_depth(place, depth)
        for key, item in value.items():
            if not isinstance(key, str):
                raise BadResult(f"{place} has the key {short(key)}, a {type(key).__name__}; keys of JSON are strings")
            check_text(key, f"a key of {place}")
            check(item, f"{place}[{short(key)}]", depth + 1)
    elif isinstance(value, (list, tuple)):
        check_depth(place, depth)
        for index, item in enumerate(value):
            check(item, f"{place}[{index}]", depth + 1)
    else:
        raise BadResult(f"{place} is a {type(value).__name__}; JSON has dict, list, str, int, float, bool and None")


def check_depth(place: str, depth: int) -> None:
    if depth >= DEEPEST:
        raise BadResult(f"{place[:80]}… is nested more than {DEEPEST} levels, or contains itself")


def check_text(text: str, place: str) -> None:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise BadResult(f"{place} has half a character at {error.start}: a lone surrogate") from None


def short(key: object) -> str:
    text = repr(key)
    return text if len(text) <= 40 else text[:39] + "…"
