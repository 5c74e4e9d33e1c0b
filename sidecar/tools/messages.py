"""Generates `src/inklings_dspy/messages.py` from `protocol.schema.json`: pydantic models of the protocol's types.

`python tools/messages.py` rewrites the file, `python tools/messages.py --check` fails if it is out of date.
It knows the subset of JSON Schema that the protocol uses and refuses everything else.
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
SCHEMA = ROOT / "protocol.schema.json"
MODULE = ROOT / "src/inklings_dspy/messages.py"

HEAD = '''"""The types of the protocol. Generated from `protocol.schema.json` by `tools/messages.py`; do not edit."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Model(BaseModel):
    """A message or a part of one. Values aren't converted between types, and unknown fields of newer peers are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, populate_by_name=True)
'''

Node = dict[str, Any]
JSON_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
# Attributes of pydantic's models that a field would hide.
TAKEN = {"schema", "json", "copy", "dict"}


def annotation(node: Node) -> str:  # noqa: PLR0911
    """The Python type of a schema."""
    if "$ref" in node:
        return node["$ref"].rsplit("/", 1)[1]
    if "anyOf" in node:
        return " | ".join(annotation(option) for option in node["anyOf"])
    kinds = node.get("type")
    if kinds is None:
        return "Any"
    if isinstance(kinds, list):
        return " | ".join(annotation({**node, "type": kind}) for kind in kinds)
    if "const" in node:
        return f"Literal[{json.dumps(node['const'])}]"
    if kinds == "array":
        return f"list[{annotation(node['items'])}]"
    if kinds == "object":
        return "dict[str, Any]"
    if kinds == "integer" and node.get("minimum") == 0:
        return "Annotated[int, Field(ge=0)]"
    return JSON_TYPES[kinds]


def default(node: Node) -> str:
    """The default of an optional field, as Python source."""
    value = node.get("default", "" if node.get("type") == "string" else {} if node.get("type") == "object" else None)
    if isinstance(value, list | dict):
        return f"Field(default_factory={'list' if isinstance(value, list) else 'dict'}[{annotation(node).split('[', 1)[1]})"
    return json.dumps(value) if value is not None else "None"


def field(name: str, node: Node, *, required: bool) -> Iterator[str]:
    kind = annotation(node)
    if name in TAKEN:
        value = "..." if required else default(node)
        yield f'    {name}_: {kind} = Field({value}, alias="{name}")'
    else:
        yield f"    {name}: {kind}" + ("" if required else f" = {default(node)}")
    if description := node.get("description"):
        yield f'    """{description}"""'


def model(name: str, node: Node, base: str = "Model") -> Iterator[str]:
    yield f"class {name}({base}):"
    if description := node.get("description"):
        yield f'    """{description}"""'
        yield ""
    for key, value in node["properties"].items():
        yield from field(key, value, required=key in node.get("required", []))


def union(name: str, node: Node) -> Iterator[str]:
    """A class per variant, discriminated by the property `type`."""
    variants: list[str] = []
    for option in node["oneOf"]:
        tag = option["properties"]["type"]["const"]
        variant = name + tag.title().replace("_", "")
        variants.append(variant)
        yield from model(variant, option, annotation(option) if "$ref" in option else "Model")
        yield ""
        yield ""
    yield f'type {name} = Annotated[{" | ".join(variants)}, Field(discriminator="type")]'
    yield from docstring(node)


def docstring(node: Node) -> Iterator[str]:
    if description := node.get("description"):
        yield f'"""{description}"""'


def literals(node: Node) -> list[str]:
    """The strings that a schema allows; variants without a description share one `enum`."""
    return [node["const"]] if "const" in node else node.get("enum", [])


def definition(name: str, node: Node) -> Iterator[str]:
    options = node.get("oneOf", [node])
    values = [value for option in options for value in literals(option)]
    if values:
        yield f"type {name} = Literal[{', '.join(json.dumps(value) for value in values)}]"
        yield from docstring(node)
    elif "oneOf" in node:
        yield from union(name, node)
    else:
        yield from model(name, node)


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].rsplit("/", 1)[1]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def in_order(definitions: Node) -> list[str]:
    """The names, with each after those that it references."""
    done: dict[str, None] = {}

    def visit(names: Iterable[str]) -> None:
        for name in names:
            if name not in done:
                visit(references(definitions[name]))
                done[name] = None

    visit(definitions)
    return list(done)


def generate(schema: Node) -> str:
    definitions: Node = schema["$defs"]
    parts = [HEAD, *("\n".join(definition(name, definitions[name])) for name in in_order(definitions))]
    formatted = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(MODULE), "-"],
        input="\n\n".join(parts) + "\n",
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return formatted.stdout


def main(arguments: list[str]) -> int:
    text = generate(json.loads(SCHEMA.read_text(encoding="utf-8")))
    if arguments == ["--check"]:
        if MODULE.read_text(encoding="utf-8") == text:
            return 0
        print(f"{MODULE.relative_to(ROOT)} is out of date: run tools/messages.py", file=sys.stderr)
        return 1
    MODULE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
