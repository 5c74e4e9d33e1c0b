"""Only demonstrations and instructions come out of a blob, whatever is in it."""

import copy
import json
from typing import Any

import dspy
import pytest

from inklings_dspy import state
from inklings_dspy.errors import Invalid
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


def test_the_state_of_another_template_is_refused() -> None:
    with pytest.raises(Invalid, match="chain_of_thought"):
        state.load(program(), "predict", {**blob(), "template_id": "chain_of_thought"})


DEEP: Any = json.loads("[" * 60 + "]" * 60)
LM = {"model": "openai/gpt-4o", "api_base": "http://127.0.0.1", "api_key": "k", "class": "os.system"}
HOSTILE: dict[str, Any] = {
    "text": "__reduce__",
    "number": 1,
    "list": [1, 2],
    "pickle": "gASVHwAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOUjAJpZJSFlFKULg==",
    "state of no object": {"template_id": "predict", "state": []},
    "predictor of no object": {"template_id": "predict", "state": {"predict": "x"}},
    "unknown predictor": {"template_id": "predict", "state": {"other": predictor()}},
    "dunder predictor": {"template_id": "predict", "state": {"__class__": predictor(), "self": predictor()}},
    "unknown key beside": {**blob(), "program": "x", "metadata": 1},
    "lm": blob(lm=LM),
    "lm text": blob(lm="openai/gpt-4o"),
    "lm list": blob(lm=[1]),
    "engine": blob(lm={"engine": {"class": "subprocess:Popen", "state": {"args": "id"}}}),
    "forward": blob(forward="x"),
    "call": blob(__call__="x", __class__="x", __dict__={"a": 1}),
    "callbacks": blob(callbacks=["x"]),
    "config": blob(config={"api_base": "http://127.0.0.1", "temperature": 9}),
    "stage": blob(stage="x"),
    "fields attribute": blob(fields={"answer": {"criteria": {"a": "b"}}}),
    "reset": blob(reset=None, dump_state=1, load_state=1),
    "extended signature": blob(extended_signature={"instructions": "x"}),
    "traces": blob(traces=[{"a": 1}]),
    "train": blob(train=[DEMO]),
    "signature text": blob(signature="evil -> worse"),
    "signature list": blob(signature=[1]),
    "signature keys": blob(signature={"instructions": "ok", "fields": [], "__doc__": "x", "input_fields": {}}),
    "instructions number": blob(signature={"instructions": 7}),
    "instructions object": blob(signature={"instructions": {"a": 1}}),
    "instructions long": blob(signature={"instructions": "x" * (state.MOST_INSTRUCTIONS + 1)}),
    "fields fewer": blob(signature={"instructions": "ok", "fields": [{"prefix": "x", "description": "y"}]}),
    "fields more": blob(signature={"instructions": "ok", "fields": [{"prefix": "x"}] * 40}),
    "fields object": blob(signature={"instructions": "ok", "fields": {"answer": {"annotation": "int"}}}),
    "demos object": blob(demos={"0": DEMO}),
    "demos text": blob(demos="x"),
    "demos many": blob(demos=[DEMO] * (state.MOST_DEMOS + 1)),
    "demo text": blob(demos=["x"]),
    "demo null": blob(demos=[None]),
    "demo empty": blob(demos=[{}]),
    "demo unknown fields": blob(demos=[{**DEMO, "__class__": "x", "_store": {}, "lm": LM}]),
    "demo only unknown fields": blob(demos=[{"evil": 1}]),
    "demo wrong type": blob(demos=[{**DEMO, "claims": {"a": 1}}]),
    "demo wrong literal": blob(demos=[{**DEMO, "kind": "c"}]),
    "demo text of a list": blob(demos=[{**DEMO, "answer": ["x"]}]),
    "demo number of a text": blob(demos=[{**DEMO, "n": "many"}]),
    "demo deep": blob(demos=[{**DEMO, "claims": DEEP}]),
    "demo large": blob(demos=[{**DEMO, "answer": "x" * (state.MOST_DEMO_BYTES + 1)}]),
    "demos large": blob(demos=[{**DEMO, "answer": "x" * 200_000}] * 40),
    "demo augmented object": blob(demos=[{**DEMO, "augmented": {"x": 1}, "x": 1}]),
    "names long": {"template_id": "predict", "state": {"x" * 100_000: {}}},
    "bare unknown": {"predict": predictor(lm=LM, forward=1), "evil": predictor()},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_but_demonstrations_and_instructions_changes(name: str) -> None:
    made, given = program(), copy.deepcopy(HOSTILE[name])
    before, had = everything(made), attributes(made)
    said = state.load(made, "predict", given)
    assert said
    assert all(len(line) < 300 for line in said)
    assert everything(made) == before
    assert attributes(made) == had
    assert made.predict.lm is None
    assert given == HOSTILE[name]
    signature = made.predict.signature
    assert isinstance(signature.instructions, str)
    assert len(made.predict.demos) <= state.MOST_DEMOS
    for demo in made.predict.demos:
        assert type(demo) is dspy.Example
        assert dict(demo).keys() <= set(signature.fields) | {"augmented"}
        assert demo.get("augmented") in (None, True, False)
    # What is left can be written and read again without a word.
    assert state.load(program(), "predict", state.dump(made, "predict")) == []


def test_there_are_enough_of_them() -> None:
    assert len(HOSTILE) >= 40
