"""Only demonstrations and instructions come out of a blob, whatever is in it."""

import copy
import json
from pathlib import Path
from typing import Any

import dspy
import pytest

from inklings_dspy import state
from inklings_dspy.programs import TEMPLATES, Parameters
from inklings_dspy.signature import parse

type Json = dict[str, Any]
SIGNATURE = "claims: list[str], n: int -> answer, kind: Literal['a', 'b']"
DEMO: Json = {"claims": ["x"], "n": 1, "answer": "y", "kind": "a"}


def program(template: str = "predict") -> Any:
    return TEMPLATES[template].build(parse(SIGNATURE), Parameters())


def predictor(**changes: Any) -> Json:
    signature = {"instructions": "Do it well.", "fields": [{"prefix": "", "description": ""}] * 4}
    return {"traces": [], "train": [], "demos": [DEMO], "signature": signature, "lm": None, **changes}


def blob(**changes: Any) -> Json:
    return {"dspy": dspy.__version__, "template_id": "predict", "state": {"predict": predictor(**changes)}}


def everything(made: Any) -> Json:
    """All that there is to a program, but its demonstrations and instructions."""
    return {
        name: {
            **{key: value for key, value in vars(found).items() if key not in ("demos", "signature", "stage")},
            "fields": [(key, field.annotation, field.json_schema_extra) for key, field in found.signature.fields.items()],
        }
        for name, found in made.named_predictors()
    }


def attributes(made: Any) -> set[str]:
    return set(vars(made))


def test_a_state_comes_back() -> None:
    one = program()
    assert state.load(one, "predict", blob()) == []
    assert one.predict.signature.instructions == "Do it well."
    assert [dict(demo) for demo in one.predict.demos] == [DEMO]
    written = json.loads(json.dumps(state.dump(one, "predict")))
    two = program()
    assert state.load(two, "predict", written) == []
    assert state.snapshot(two) == state.snapshot(one)
    assert state.shown(two)[0].demos == [DEMO]


def test_what_dspy_writes_is_read() -> None:
    one = program()
    one.predict.demos = [dspy.Example(augmented=True, **DEMO)]
    saved = {**json.loads(json.dumps(one.dump_state())), "metadata": {"dependency_versions": {"dspy": "3.4.1"}}}
    two = program()
    assert state.load(two, "predict", saved) == []
    assert dict(two.predict.demos[0]) == {"augmented": True, **DEMO}


def test_every_template_writes_what_it_reads() -> None:
    for template in TEMPLATES.values():
        made = template.build(parse(SIGNATURE), template.parameters())
        again = template.build(parse(SIGNATURE), template.parameters())
        assert state.load(again, template.id, state.dump(made, template.id)) == []
        assert [found.name for found in state.shown(again)] == [name for name, _ in made.named_predictors()]


def test_the_state_of_another_template_is_left_out() -> None:
    made = program()
    said = state.load(made, "predict", {**blob(), "template_id": "chain_of_thought"})
    assert said == ["The state was ignored: its module type is 'chain_of_thought', not 'predict'."]
    assert state.snapshot(made) == state.snapshot(program())


def expanded(value: Any) -> Any:
    """What the table writes shortly: `{"repeat": "x", "times": 3}` is `"xxx"`, of a list a longer one."""
    if isinstance(value, list):
        return [expanded(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"repeat", "times"}:
        return expanded(value["repeat"]) * value["times"]
    return {key: expanded(item) for key, item in value.items()}


# With what is left of each: instructions, none where they are the program's own, and demonstrations. The app's tests send it to
# the frozen process.
TABLE = json.loads(Path(__file__).with_name("hostile_states.json").read_text(encoding="utf-8"))
HOSTILE: dict[str, Json] = TABLE["states"]


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_but_demonstrations_and_instructions_changes(name: str) -> None:
    blob, instructions, demos = (expanded(HOSTILE[name][part]) for part in ("blob", "instructions", "demos"))
    made, given = program(), copy.deepcopy(blob)
    own = made.predict.signature.instructions
    before, had = everything(made), attributes(made)
    said = state.load(made, "predict", given)
    assert said
    # For people: no text runs backwards, and no name hides the rest.
    assert all(len(line) < 300 and line.isprintable() for line in said)
    assert everything(made) == before
    assert attributes(made) == had
    assert made.predict.lm is None
    assert given == blob
    assert made.predict.signature.instructions == (own if instructions is None else instructions)
    assert all(type(demo) is dspy.Example for demo in made.predict.demos)
    assert [dict(demo) for demo in made.predict.demos] == demos
    assert all(demo.get("augmented") in (None, True, False) for demo in made.predict.demos)
    # What is left can be written and read again without a word.
    assert state.load(program(), "predict", state.dump(made, "predict")) == []


def test_there_are_enough_of_them() -> None:
    assert TABLE["signature"] == SIGNATURE
    assert len(HOSTILE) >= 80
    assert len([name for name in HOSTILE if not json.dumps(HOSTILE[name]["blob"], ensure_ascii=False).isascii()]) >= 30
