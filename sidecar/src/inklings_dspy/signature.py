"""Parses the text of a signature into a dspy class. The text is untrusted and never evaluated.

dspy's own parser resolves type names in the frames of its callers; here only the names in `TYPES` are types.
"""

import ast
import keyword
import types
import typing
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import dspy

from inklings_dspy.errors import Invalid

TYPES: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "list": list,
    "dict": dict,
    "tuple": tuple,
    "set": set,
    "None": None,
    "Any": Any,
    "Optional": typing.Optional,
    "Union": typing.Union,
    "Literal": typing.Literal,
    "List": list,
    "Dict": dict,
    "Tuple": tuple,
    "Set": set,
    "date": date,
    "datetime": datetime,
}
# Names of parameters of dspy's calls.
RESERVED = frozenset({"self", "base", "completions", "config", "demos", "hint_", "lm", "new_signature", "prediction", "signature"})
MAX_CHARACTERS = 20_000
MAX_FIELDS = 64
MAX_DEPTH = 8


def parse(text: str, instructions: str = "") -> type[dspy.Signature]:
    """Read a signature such as `claims: list[str] -> contradictions: list[str]`. Raises `Invalid`."""
    if len(text) > MAX_CHARACTERS:
        raise Invalid("the signature is too long")
    if text.count("->") != 1:
        raise Invalid("the signature must have one `->` between inputs and outputs")
    inputs, outputs = (list(_side(side)) for side in text.split("->"))
    names = [name for name, _ in inputs + outputs]
    if len(names) > MAX_FIELDS:
        raise Invalid(f"the signature has more than {MAX_FIELDS} fields")
    for name in names:
        if names.count(name) > 1:
            raise Invalid(f"the signature has two fields named {name!r}")
    fields = {name: (kind, dspy.InputField()) for name, kind in inputs}
    fields |= {name: (kind, dspy.OutputField()) for name, kind in outputs}
    try:
        return dspy.make_signature(fields, instructions or None)
    except (NameError, TypeError, ValueError) as error:
        raise Invalid(f"invalid signature: {error}") from error


def _side(text: str) -> Iterator[tuple[str, Any]]:
    if not text.strip():
        raise Invalid("the signature must have inputs and outputs")
    for part in _split(text):
        name, colon, kind = (piece.strip() for piece in part.partition(":"))
        if not name:
            raise Invalid("a field of the signature has no name")
        if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
            raise Invalid(f"invalid field name {name!r}; use letters, digits and underscores")
        if name in RESERVED:
            raise Invalid(f"field name {name!r} is reserved by DSPy; rename the field")
        yield name, _type(kind) if colon else str


def _split(text: str) -> Iterator[str]:
    """Split at commas outside of brackets and quotes."""
    part, depth, quote = "", 0, ""
    for char in text:
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "[(":
            depth += 1
        elif char in "])":
            depth -= 1
        elif char == "," and depth <= 0:
            yield part
            part = ""
            continue
        if depth > MAX_DEPTH:
            raise Invalid("a type of the signature is nested too deeply")
        part += char
    yield part


def _type(text: str) -> Any:
    try:
        node = ast.parse(text, mode="eval").body
        return _build(node)
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError):
        raise Invalid(f"unknown type {text!r}") from None


def _build(node: ast.expr) -> Any:  # noqa: PLR0911
    match node:
        case ast.Name(id=name) if name in TYPES:
            return TYPES[name]
        case ast.Constant(value=None):
            return None
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return typing.Union[_build(left), _build(right)]  # noqa: UP007
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inside):
            return typing.Literal[tuple(_literal(item) for item in _items(inside))]
        case ast.Subscript(value=ast.Name(id="Union"), slice=inside):
            return typing.Union[tuple(_build(item) for item in _items(inside))]  # noqa: UP007
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inside):
            return typing.Optional[_build(inside)]  # noqa: UP045
        case ast.Subscript(value=ast.Name(id="tuple" | "Tuple"), slice=inside):
            return types.GenericAlias(tuple, tuple(_element(item) for item in _items(inside)))
        case ast.Subscript(value=ast.Name(id="list" | "List" | "set" | "Set" | "dict" | "Dict" as name), slice=inside):
            items = _items(inside)
            if len(items) != (2 if name.lower() == "dict" else 1):
                raise ValueError(name)
            return types.GenericAlias(TYPES[name], tuple(_build(item) for item in items))
        case _:
            raise ValueError(ast.dump(node))


def _items(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _element(node: ast.expr) -> Any:
    """An item of a tuple type, which may be `...`."""
    return ... if isinstance(node, ast.Constant) and node.value is ... else _build(node)


def _literal(node: ast.expr) -> str | int | bool | None:
    match node:
        case ast.Constant(value=str() | int() | bool() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
        case _:
            raise ValueError(ast.dump(node))
