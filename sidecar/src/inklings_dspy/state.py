"""What an optimisation found, as a blob: which instructions and demonstrations the predictors of a program have.

A blob is `{"dspy": version, "template_id": …, "state": {predictor: …}}`, where each predictor is as dspy's `dump_state` has
it; what dspy's `module.save` writes is read as well. A blob is untrusted: dspy's `load_state` would set whatever attributes it
names and make a model of what it says under `lm`. Here only demonstrations and instructions are taken, one by one, each
checked; everything else is left out with a sentence that says so.
"""

from collections.abc import Iterator
from typing import Any

import dspy
import orjson
from pydantic import TypeAdapter, ValidationError

from inklings_dspy.messages import PredictorState
from inklings_dspy.programs import Program
from inklings_dspy.values import DEEPEST, depth, plain

MOST_BYTES = 4 << 20
MOST_INSTRUCTIONS = 64 << 10
MOST_DEMOS = 64
MOST_DEMO_BYTES = 256 << 10
MOST_DIAGNOSTICS = 50
MOST_SHOWN = 100

BLOB_KEYS = {"dspy", "template_id", "state"}
PREDICTOR_KEYS = {"traces", "train", "demos", "signature", "lm"}
SIGNATURE_KEYS = {"instructions", "fields"}
# Set by dspy on demonstrations that a model wrote.
AUGMENTED = "augmented"

type Json = dict[str, Any]


def dump(program: Program, template_id: str) -> Json:
    """Write the state of a program."""
    return {"dspy": dspy.__version__, "template_id": template_id, "state": snapshot(program)}


def snapshot(program: Program) -> Json:
    """The part of a blob that says what the predictors are."""
    return {name: _predictor(predictor) for name, predictor in program.named_predictors()}


def _predictor(predictor: dspy.Predict) -> Json:
    fields = [
        {"prefix": field.json_schema_extra["prefix"], "description": field.json_schema_extra["desc"]}
        for field in _signature(predictor).fields.values()
    ]
    signature = {"instructions": _signature(predictor).instructions, "fields": fields}
    return {"traces": [], "train": [], "demos": _demos(predictor), "signature": signature, "lm": None}


def _signature(predictor: dspy.Predict) -> Any:
    # A class, whose properties are its metaclass's: types can't say that.
    return predictor.signature


def _demos(predictor: dspy.Predict) -> list[Json]:
    known = set(_signature(predictor).fields) | {AUGMENTED}
    return [{key: plain(value) for key, value in dict(demo).items() if key in known} for demo in predictor.demos]


def shown(program: Program) -> list[PredictorState]:
    """What predictors say and show, for people."""
    return [
        PredictorState(
            name=name,
            instructions=_signature(predictor).instructions,
            demos=[{key: value for key, value in demo.items() if key != AUGMENTED} for demo in _demos(predictor)],
        )
        for name, predictor in program.named_predictors()
    ]


def load(program: Program, template_id: str, blob: Any) -> list[str]:
    """Take from a blob what may be taken. Says what was left out, one sentence each."""
    said: list[str] = []
    predictors = dict(program.named_predictors())
    for name, given in _predictors_of(blob, template_id, set(predictors), said):
        _load_predictor(predictors[name], name, given, said)
    if len(said) > MOST_DIAGNOSTICS:
        said[MOST_DIAGNOSTICS:] = [f"and {len(said) - MOST_DIAGNOSTICS} more"]
    return said


def _predictors_of(blob: Any, template_id: str, names: set[str], said: list[str]) -> Iterator[tuple[str, Json]]:
    try:
        size = len(orjson.dumps(blob))
    except (orjson.JSONEncodeError, RecursionError):
        size = MOST_BYTES + 1
    if not isinstance(blob, dict) or size > MOST_BYTES:
        said.append("The state was left out: it is no object, or too large.")
        return
    state: Any = blob
    if "state" in blob and "state" not in names:
        if (owner := blob.get("template_id", "")) != template_id:
            said.append(f"The state was left out: it is of the template {_shown(owner)}, not {template_id!r}.")
            return
        said += [_left_out(_shown(key)) for key in blob if key not in BLOB_KEYS]
        state = blob["state"]
        if not isinstance(state, dict):
            said.append("The state was left out: it is no object.")
            return
    for name, given in state.items():
        if name not in names:
            if name != "metadata":
                said.append(f"The state of {_shown(name)} was left out: the program has no such predictor.")
        elif not isinstance(given, dict):
            said.append(f"The state of {name!r} was left out: it is no object.")
        else:
            yield name, given


def _shown(name: Any) -> str:
    """A name as people may read it: marks that can't be seen, or that turn texts around, are spelt out."""
    return repr(str(name)[:MOST_SHOWN])[:MOST_SHOWN]


def _left_out(what: str) -> str:
    return f"{what} was left out: states hold instructions and demonstrations only."


def _load_predictor(predictor: dspy.Predict, name: str, given: Json, said: list[str]) -> None:
    said += [_left_out(f"{_shown(key)} of {name!r}") for key in given if key not in PREDICTOR_KEYS]
    said += [_left_out(f"{key!r} of {name!r}") for key in ("lm", "traces", "train") if given.get(key)]
    signature = given.get("signature", {})
    if isinstance(signature, dict):
        said += [_left_out(f"{_shown(key)} of the signature of {name!r}") for key in signature if key not in SIGNATURE_KEYS]
        _load_instructions(predictor, name, signature.get("instructions"), said)
        _check_fields(predictor, name, signature.get("fields"), said)
    else:
        said.append(f"The signature of {name!r} was left out: it is no object.")
    demos = given.get("demos", [])
    if not isinstance(demos, list):
        said.append(f"The demonstrations of {name!r} were left out: they are no list.")
        return
    if len(demos) > MOST_DEMOS:
        said.append(f"{len(demos) - MOST_DEMOS} demonstrations of {name!r} were left out: {MOST_DEMOS} are the most.")
    taken = (_demo(predictor, name, number, demo, said) for number, demo in enumerate(demos[:MOST_DEMOS], 1))
    predictor.demos = [demo for demo in taken if demo is not None]


def _load_instructions(predictor: dspy.Predict, name: str, instructions: Any, said: list[str]) -> None:
    if instructions is None:
        return
    if not isinstance(instructions, str) or len(instructions) > MOST_INSTRUCTIONS:
        said.append(f"The instructions of {name!r} were left out: they are no text, or too long.")
        return
    predictor.signature = _signature(predictor).with_instructions(instructions)


def _check_fields(predictor: dspy.Predict, name: str, fields: Any, said: list[str]) -> None:
    """The fields are the signature's; what a state says of them is compared only."""
    if fields is None:
        return
    if not isinstance(fields, list) or len(fields) != len(_signature(predictor).fields):
        said.append(f"The state of {name!r} was made for another signature: its fields are not those of the program.")


def _demo(predictor: dspy.Predict, name: str, number: int, given: Any, said: list[str]) -> dspy.Example | None:
    which = f"Demonstration {number} of {name!r}"
    if not isinstance(given, dict) or depth(given) > DEEPEST or len(orjson.dumps(given)) > MOST_DEMO_BYTES:
        said.append(f"{which} was left out: it is no object, too large or too deep.")
        return None
    fields = _signature(predictor).fields
    values: Json = {}
    for key, value in given.items():
        if key == AUGMENTED:
            values[key] = value is True
        elif key not in fields:
            said.append(f"{_shown(key)} of demonstration {number} of {name!r} was left out: there is no such field.")
        elif not _fits(fields[key].annotation, value):
            said.append(f"{which} was left out: its {key!r} is not of the field's type.")
            return None
        else:
            values[key] = value
    if not values.keys() & fields.keys():
        said.append(f"{which} was left out: it has none of the fields.")
        return None
    return dspy.Example(values)


def _fits(annotation: Any, value: Any) -> bool:
    # What an optimiser couldn't fill stays empty in its demonstrations.
    if value is None:
        return True
    try:
        TypeAdapter(annotation).validate_json(orjson.dumps(value))
    except (ValidationError, ValueError):
        return annotation is str and isinstance(value, int | float)
    return True
