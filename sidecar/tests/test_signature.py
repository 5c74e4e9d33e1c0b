"""Signatures are read, never evaluated."""

from typing import Any, Literal, Optional, Union

import pytest

from inklings_dspy.errors import Invalid
from inklings_dspy.signature import MAX_DEPTH, MAX_FIELDS, parse


def kinds(text: str) -> dict[str, Any]:
    signature = parse(text)
    return {name: field.annotation for name, field in signature.fields.items()}


def test_inputs_outputs_and_instructions() -> None:
    signature = parse("claims: list[str], entity -> contradictions: list[dict[str, str]]", "Find them.")
    assert list(signature.input_fields) == ["claims", "entity"]
    assert list(signature.output_fields) == ["contradictions"]
    assert signature.instructions == "Find them."
    assert parse("a -> b").instructions == "Given the fields `a`, produce the fields `b`."


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("str", str),
        ("int | None", Optional[int]),  # noqa: UP045
        ("Optional[list[float]]", Optional[list[float]]),  # noqa: UP045
        ("Union[int, str]", Union[int, str]),  # noqa: UP007
        ("Literal['a, b', 'c', -1, True]", Literal["a, b", "c", -1, True]),
        ("tuple[int, ...]", tuple[int, ...]),
        ("Dict[str, List[bool]]", dict[str, list[bool]]),
        ("set[str]", set[str]),
        ("Any", Any),
        ("dict", dict),
    ],
)
def test_types(text: str, kind: Any) -> None:
    assert kinds(f"a -> b: {text}")["b"] == kind


def test_names_are_those_of_any_language() -> None:
    assert list(kinds("größe -> 答え")) == ["größe", "答え"]


@pytest.mark.parametrize(
    "text",
    [
        "", "a", "a, b", "->", "a ->", "-> b", "a -> b -> c", "a,, b -> c", "a b -> c", "class -> c", "a -> a", "a: -> b",
        "a: strng -> b", "a: list[str -> b", "a: str] -> b", "a: eval('x') -> b", "a: __import__('os').system('id') -> b",
        "a: Image -> b", "a: dspy.Image -> b", "a: os.system -> b", "a: (lambda: 1)() -> b", "a: [x for x in ()] -> b",
        "a: list[str, str] -> b", "a: dict[str] -> b", "a: Literal[] -> b", "a: Literal[f'{1}'] -> b", "a: Literal[b'x'] -> b",
        "a: 'str' -> b", "a: 1 -> b", "a: str if 1 else int -> b", "a: str = 1 -> b", "a: list[...] -> b", "_a -> b",
        "__class__ -> b",
        "self -> b", "config -> b", "lm -> b", "demos -> b", "a -> completions", "a: {'x': 1} -> b", "a: str\nimport os -> b",
        "a: type -> b", "a: object -> b", "a: Callable -> b", "a: BaseModel -> b", "1a -> b", "a-b -> c", "a: * -> b",
    ],
)  # fmt: skip
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "list[" * (MAX_DEPTH + 1) + "str" + "]" * (MAX_DEPTH + 1) + " -> b",
        "a: " + "[" * 100_000 + " -> b",
        ", ".join(f"a{number}" for number in range(MAX_FIELDS)) + " -> b",
        "a: " + "int | " * 5000 + "int -> b",
    ],
    ids=["deep", "long", "many", "wide"],
)
def test_size_has_bounds(text: str) -> None:
    with pytest.raises(Invalid):
        parse(text)
