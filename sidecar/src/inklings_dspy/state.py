"""Compiled states: the instructions and demos of the predictors of a program.

A state is `{"dspy": version, "template_id": …, "state": {predictor: …}}`, with each predictor as dspy's `dump_state` writes
it; files of dspy's `module.save` are read as well. States are untrusted: dspy's `load_state` would set whatever attributes one
names and create a model from its `lm`. Here only demos and instructions are loaded, one by one, each
validated; everything else is ignored with a diagnostic.
"""

from collections.abc import Iterator
from typing import Any

import dspy
import orjson
from pydantic import TypeAdapter, ValidationError

from inklings_dspy.messages import PredictorState
from inklings_dspy.programs import Program
from inklings_dspy.values import MAX_DEPTH, depth, plain

MAX_BYTES = 4 << 20
MAX_INSTRUCTIONS_CHARS = 64 << 10
MAX_DEMOS = 64
MAX_DEMO_BYTES = 256 << 10
MAX_DIAGNOSTICS = 50
MAX_NAME_CHARS = 100

BLOB_KEYS = {"dspy", "template_id", "state"}
PREDICTOR_KEYS = {"traces", "train", "demos", "signature", "lm"}
SIGNATURE_KEYS = {"instructions", "fields"}
# Set by dspy on demos that a model wrote.
AUGMENTED = "augmented"

type Json = dict[str, Any]


def dump(program: Program, template_id: str) -> Json:
    """Write the state of a program."""
    return {"dspy": dspy.__version__, "template_id": template_id, "state": snapshot(program)}


def snapshot(program: Program) -> Json:
    """The predictors' part of a state."""
    return {name: _predictor(predictor) for name, predictor in program.named_predictors()}


def _predictor(predictor: dspy.Predict) -> Json:
    fields = [
        {"prefix": field.json_schema_extra["prefix"], "description": field.json_schema_extra["desc"]}
        for field in _signature(predictor).fields.values()
    ]
    signature = {"instructions": _signature(predictor).instructions, "fields": fields}
    return {"traces": [], "train": [], "demos": _demos(predictor), "signature": signature, "lm": None}


def _signature(predictor: dspy.Predict) -> Any:
    # A class with properties of its metaclass, which the type annotations can't express.
    return predictor.signature


def _demos(predictor: dspy.Predict) -> list[Json]:
    known = set(_signature(predictor).fields) | {AUGMENTED}
    return [{key: plain(value) for key, value in dict(demo).items() if key in known} for demo in predictor.demos]


def shown(program: Program) -> list[PredictorState]:
    """The instructions and demos of the predictors, for the app."""
    return [
        PredictorState(
            name=name,
            instructions=_signature(predictor).instructions,
            demos=[{key: value for key, value in demo.items() if key != AUGMENTED} for demo in _demos(predictor)],
        )
        for name, predictor in program.named_predictors()
    ]


def load(program: Program, template_id: str, blob: Any) -> list[str]:
    """Load a state. Returns diagnostics of its ignored parts, one sentence each."""
    diagnostics: list[str] = []
    predictors = dict(program.named_predictors())
    for name, given in _predictors_of(blob, template_id, set(predictors), diagnostics):
        _load_predictor(predictors[name], name, given, diagnostics)
    if len(diagnostics) > MAX_DIAGNOSTICS:
        diagnostics[MAX_DIAGNOSTICS:] = [f"and {len(diagnostics) - MAX_DIAGNOSTICS} more"]
    return diagnostics


def _predictors_of(blob: Any, template_id: str, names: set[str], diagnostics: list[str]) -> Iterator[tuple[str, Json]]:
    try:
        size = len(orjson.dumps(blob))
    except (orjson.JSONEncodeError, RecursionError):
        size = MAX_BYTES + 1
    if not isinstance(blob, dict) or size > MAX_BYTES:
        diagnostics.append("The state was ignored: it isn't an object, or is too large.")
        return
    state: Any = blob
    if "state" in blob and "state" not in names:
        if (owner := blob.get("template_id", "")) != template_id:
            diagnostics.append(f"The state was ignored: its module type is {_shown(owner)}, not {template_id!r}.")
            return
        diagnostics += [_ignored(_shown(key)) for key in blob if key not in BLOB_KEYS]
        state = blob["state"]
        if not isinstance(state, dict):
            diagnostics.append("The state was ignored: it isn't an object.")
            return
    for name, given in state.items():
        if name not in names:
            if name != "metadata":
                diagnostics.append(f"The state of {_shown(name)} was ignored: the program has no such predictor.")
        elif not isinstance(given, dict):
            diagnostics.append(f"The state of {name!r} was ignored: it isn't an object.")
        else:
            yield name, given


def _shown(name: Any) -> str:
    """A name with invisible and bidirectional characters escaped."""
    return repr(str(name)[:MAX_NAME_CHARS])[:MAX_NAME_CHARS]


def _ignored(what: str) -> str:
    return f"{what} was ignored: states contain only instructions and demos."


def _load_predictor(predictor: dspy.Predict, name: str, given: Json, diagnostics: list[str]) -> None:
    diagnostics += [_ignored(f"{_shown(key)} of {name!r}") for key in given if key not in PREDICTOR_KEYS]
    diagnostics += [_ignored(f"{key!r} of {name!r}") for key in ("lm", "traces", "train") if given.get(key)]
    signature = given.get("signature", {})
    if isinstance(signature, dict):
        diagnostics += [_ignored(f"{_shown(key)} of the signature of {name!r}") for key in signature if key not in SIGNATURE_KEYS]
        _load_instructions(predictor, name, signature.get("instructions"), diagnostics)
        _check_fields(predictor, name, signature.get("fields"), diagnostics)
    else:
        diagnostics.append(f"The signature of {name!r} was ignored: it isn't an object.")
    demos = given.get("demos", [])
    if not isinstance(demos, list):
        diagnostics.append(f"The demos of {name!r} were ignored: they aren't a list.")
        return
    if len(demos) > MAX_DEMOS:
        diagnostics.append(f"{len(demos) - MAX_DEMOS} demos of {name!r} were ignored: the limit is {MAX_DEMOS}.")
    taken = (_demo(predictor, name, number, demo, diagnostics) for number, demo in enumerate(demos[:MAX_DEMOS], 1))
    predictor.demos = [demo for demo in taken if demo is not None]


def _load_instructions(predictor: dspy.Predict, name: str, instructions: Any, diagnostics: list[str]) -> None:
    if instructions is None:
        return
    if not isinstance(instructions, str) or len(instructions) > MAX_INSTRUCTIONS_CHARS:
        diagnostics.append(f"The instructions of {name!r} were ignored: they aren't text, or are too long.")
        return
    predictor.signature = _signature(predictor).with_instructions(instructions)


def _check_fields(predictor: dspy.Predict, name: str, fields: Any, diagnostics: list[str]) -> None:
    """Compare a state's fields with the signature's."""
    if fields is None:
        return
    if not isinstance(fields, list) or len(fields) != len(_signature(predictor).fields):
        diagnostics.append(f"The state of {name!r} was compiled for another signature: its fields differ.")


def _demo(predictor: dspy.Predict, name: str, number: int, given: Any, diagnostics: list[str]) -> dspy.Example | None:
    which = f"Demo {number} of {name!r}"
    if not isinstance(given, dict) or depth(given) > MAX_DEPTH or len(orjson.dumps(given)) > MAX_DEMO_BYTES:
        diagnostics.append(f"{which} was ignored: it isn't an object, or is too large or too deeply nested.")
        return None
    fields = _signature(predictor).fields
    values: Json = {}
    for key, value in given.items():
        if key == AUGMENTED:
            values[key] = value is True
        elif key not in fields:
            diagnostics.append(f"{_shown(key)} of demo {number} of {name!r} was ignored: the signature has no such field.")
        elif not _fits(fields[key].annotation, value):
            diagnostics.append(f"{which} was ignored: its {key!r} doesn't have the field's type.")
            return None
        else:
            values[key] = value
    if not values.keys() & fields.keys():
        diagnostics.append(f"{which} was ignored: it has none of the fields.")
        return None
    return dspy.Example(values)


def _fits(annotation: Any, value: Any) -> bool:
    # Optimizers leave missing fields of demos empty.
    if value is None:
        return True
    try:
        TypeAdapter(annotation).validate_json(orjson.dumps(value))
    except (ValidationError, ValueError):
        return annotation is str and isinstance(value, int | float)
    return True
