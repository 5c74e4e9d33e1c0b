"""Every template, in the process, against a scripted model."""

import json
from typing import Any

import pytest

from app import App, AppError, Json, completion, given, last, reply, wanted

SIGNATURE = "question -> claims: list[str], answer"


def execute(app: App, template: str, model: Any, **changes: Any) -> Json:
    app.answers["lm.complete"] = lambda params: model(params["request"])
    job = {"template_id": template, "signature": SIGNATURE, "params": {"question": "why?"}, **changes}
    return app.ask("execute", job)


def questions(app: App) -> list[Json]:
    return [message["params"]["request"] for message in app.asked if message["method"] == "lm.complete"]


def plain(request: Json) -> Json:
    values: Json = {"claims": ["a", "b"], "problems": [], "advice": {"predict": "do better"}}
    return reply(request, **{name: values.get(name, f"the {name}") for name in wanted(request)})


def test_predict(app: App) -> None:
    found = execute(app, "predict", plain, instructions="Be brief.")
    assert found == {"outputs": {"claims": ["a", "b"], "answer": "the answer"}, "diagnostics": []}
    (request,) = questions(app)
    assert "Be brief." in request["system"]
    assert given(request) == {"question": "why?"}
    assert request.get("schema") is None


def test_chain_of_thought(app: App) -> None:
    assert execute(app, "chain_of_thought", plain)["outputs"]["reasoning"] == "the reasoning"


def test_the_json_adapter_asks_for_a_schema(app: App) -> None:
    assert execute(app, "predict", plain, adapter="json")["outputs"]["claims"] == ["a", "b"]
    assert questions(app)[0]["schema"]["required"] == ["claims", "answer"]


def test_an_unreadable_answer_is_asked_for_again_as_json_then_fails(app: App) -> None:
    with pytest.raises(AppError, match="claims, answer") as caught:
        execute(app, "predict", lambda _: completion("no idea"))
    assert caught.value.kind == "failed"
    assert [request.get("schema") is None for request in questions(app)] == [True, False]


def test_react_uses_tools_and_reads_their_failures(app: App) -> None:
    def tool(params: Json) -> Any:
        if params["name"] == "get_page":
            raise AppError("tool", "there is no page 'x'")
        return [{"slug": "x"}]

    calls = iter([("workspace_search", {"query": "why"}), ("get_page", {"slug": "x"}), ("finish", {})])

    def model(request: Json) -> Json:
        if "next_tool_name" not in wanted(request):
            return plain(request)
        name, arguments = next(calls)
        return reply(request, next_thought="hm", next_tool_name=name, next_tool_args=arguments)

    app.answers["tool.call"] = tool
    outputs = execute(app, "react", model)["outputs"]
    assert outputs["answer"] == "the answer"
    assert outputs["trajectory"]["observation_0"] == [{"slug": "x"}]
    assert "there is no page 'x'" in outputs["trajectory"]["observation_1"]
    asked = [message["params"] for message in app.asked if message["method"] == "tool.call"]
    assert [(params["name"], params["args"]) for params in asked] == [
        ("workspace_search", {"query": "why", "limit": 10}),
        ("get_page", {"slug": "x"}),
    ]


def test_react_offers_only_the_tools_that_are_wanted(app: App) -> None:
    execute(
        app,
        "react",
        lambda request: (
            reply(request, next_thought="", next_tool_name="finish", next_tool_args={})
            if "next_tool_name" in wanted(request)
            else plain(request)
        ),
        parameters={"tools": ["get_page"]},
    )
    assert "get_page" in questions(app)[0]["system"]
    assert "run_skill" not in questions(app)[0]["system"]


@pytest.mark.parametrize(("template", "asked"), [("best_of_n", 3), ("refine", 5)])
def test_the_best_attempt_is_taken(app: App, template: str, asked: int) -> None:
    scores = iter([0.25, 0.75, 0.5])
    attempts = iter("abc")

    def model(request: Json) -> Json:
        if "answer" not in wanted(request):
            return plain(request)
        return reply(request, reasoning="", claims=[], answer=next(attempts))

    app.answers["metric.score"] = lambda _: {"score": next(scores), "feedback": "say why"}
    assert execute(app, template, model)["outputs"]["answer"] == "b"
    assert len(questions(app)) == asked
    judged = [message["params"] for message in app.asked if message["method"] == "metric.score"]
    assert [params["prediction"]["answer"] for params in judged] == ["a", "b", "c"]
    assert judged[0]["example"] == {"inputs": {"question": "why?"}, "outputs": {}}
    if template == "refine":
        assert "say why" in last(questions(app)[1])
        assert "do better" in last(questions(app)[2])


def test_an_attempt_that_reaches_the_threshold_ends_it(app: App) -> None:
    app.answers["metric.score"] = lambda _: {"score": 1.0, "feedback": ""}
    execute(app, "best_of_n", plain, parameters={"n": 5, "reasoning": False})
    assert len(questions(app)) == 1


def test_attempts_that_all_fail_fail_the_program(app: App) -> None:
    with pytest.raises(AppError, match="none of 2 attempts"):
        execute(app, "best_of_n", lambda _: completion(""), parameters={"n": 2})


def test_multi_chain_comparison(app: App) -> None:
    outputs = execute(app, "multi_chain_comparison", plain, parameters={"m": 2})["outputs"]
    assert outputs["rationale"] == "the rationale"
    assert len(questions(app)) == 3
    assert "reasoning_attempt_2" in given(questions(app)[2])


def test_extract_then_verify_takes_what_was_corrected(app: App) -> None:
    def model(request: Json) -> Json:
        if "problems" not in wanted(request):
            return reply(request, claims=["true", "false"], answer="wrong")
        assert json.loads(given(request)["extracted_claims"]) == ["true", "false"]
        return reply(request, claims=["true"], answer="right", problems=["dropped false"])

    assert execute(app, "extract_then_verify", model)["outputs"] == {
        "claims": ["true"],
        "answer": "right",
        "problems": ["dropped false"],
    }


def test_map_reduce_merges_the_chunks_in_their_order(app: App) -> None:
    def model(request: Json) -> Json:
        values = given(request)
        if "pages" in values:
            return reply(request, words=json.loads(values["pages"]))
        parts = json.loads(values["partial_words"])
        return reply(request, words=[word for part in parts for word in part])

    pages = [f"p{number}" for number in range(7)]
    found = execute(
        app,
        "map_reduce",
        model,
        signature="topic, pages: list[str] -> words: list[str]",
        params={"topic": "t", "pages": pages},
        parameters={"chunk_size": 2, "fan_in": 2},
    )
    assert found["outputs"] == {"words": pages}
    assert len(questions(app)) == 4 + 2 + 1


def test_map_reduce_of_one_chunk_asks_once(app: App) -> None:
    changes: Json = {"signature": "pages: list[str] -> answer", "params": {"pages": []}}
    assert execute(app, "map_reduce", plain, **changes)["outputs"] == {"answer": "the answer"}
    assert len(questions(app)) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"template_id": "magic"},
        {"signature": "question"},
        {"signature": "question: os.system -> answer"},
        {"params": {}},
        {"signature": "n: int -> answer", "params": {"n": "many"}},
        {"signature": "n: list[int] -> answer", "params": {"n": [1, "x"]}},
        {"parameters": {"n": 3}},
        {"template_id": "best_of_n", "parameters": {"n": 0}},
        {"template_id": "best_of_n", "parameters": {"n": "3"}},
        {"template_id": "chain_of_thought", "signature": "question -> reasoning"},
        {"template_id": "map_reduce"},
        {"template_id": "map_reduce", "signature": "question, p: list[str] -> a", "parameters": {"over": "question"}},
        {"template_id": "react", "parameters": {"tools": ["rm"]}},
    ],
    ids=str,
)
def test_what_makes_no_sense_is_invalid(app: App, changes: Json) -> None:
    with pytest.raises(AppError) as caught:
        app.ask("execute", {"template_id": "predict", "signature": SIGNATURE, "params": {"question": "why?"}, **changes})
    assert (caught.value.kind, caught.value.code) == ("invalid", -32000)
    assert not app.asked


def test_a_state_is_used_and_what_is_left_out_is_said(app: App) -> None:
    state = {
        "signature": {"instructions": "From before."},
        "demos": [{"question": "q", "claims": [], "answer": "demo"}],
        "lm": {"a": 1},
    }
    found = execute(app, "predict", plain, state_blob={"predict": state})
    assert ["'lm'" in line for line in found["diagnostics"]] == [True]
    (request,) = questions(app)
    assert "From before." in request["system"]
    assert [message["role"] for message in request["messages"]] == ["user", "assistant", "user"]


def test_values_of_all_types_come_back_as_json(app: App) -> None:
    signature = "day: date, ratio: float | None -> tags: set[str], when: datetime, pair: tuple[int, str], any: Any"

    def model(request: Json) -> Json:
        return reply(request, tags=["x"], when="2026-01-02T03:04:05", pair=[1, "a"], any={"deep": [None]})

    found = execute(app, "predict", model, signature=signature, params={"day": "2026-01-02", "ratio": None})
    assert found["outputs"] == {"tags": ["x"], "when": "2026-01-02T03:04:05", "pair": [1, "a"], "any": {"deep": [None]}}


@pytest.mark.parametrize(
    ("kind", "becomes"), [("model", "model"), ("over_budget", "model"), ("cancelled", "cancelled"), ("internal", "model")]
)
@pytest.mark.parametrize("template", ["predict", "best_of_n", "react", "map_reduce"])
def test_a_model_that_fails_ends_the_program(app: App, template: str, kind: str, becomes: str) -> None:
    def model(_: Json) -> Json:
        raise AppError(kind, "no key")

    changes: Json = {"signature": "question, pages: list[str] -> answer", "params": {"question": "q", "pages": ["a", "b", "c"]}}
    with pytest.raises(AppError, match="no key") as caught:
        execute(app, template, model, **changes)
    assert caught.value.kind == becomes


def test_a_state_of_another_template_is_left_out_and_the_program_runs(app: App) -> None:
    other = {"template_id": "chain_of_thought", "state": {"predict": {"signature": {"instructions": "Shout."}}}}
    found = execute(app, "predict", plain, state_blob=other)
    assert found["outputs"]["answer"] == "the answer"
    assert found["diagnostics"] == ["The state was ignored: its module type is 'chain_of_thought', not 'predict'."]
    assert "Shout." not in questions(app)[0]["system"]
