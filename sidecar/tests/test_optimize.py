"""Every optimizer, in the process, against a model that answers well only when it is told how."""

import json
import threading
import time
from typing import Any

import pytest

from app import App, AppError, Json, given, reply, wanted

RIGHT = "the right"
OPTIMIZERS = ["labeled_few_shot", "bootstrap_few_shot", "bootstrap_few_shot_random_search", "copro", "gepa", "infer_rules"]
TRAINING = [{"inputs": {"question": f"q{number}"}, "outputs": {"answer": RIGHT}} for number in range(6)]
JOB: Json = {
    "template_id": "predict",
    "signature": "question -> answer",
    "trainset": TRAINING,
    "valset": [{"inputs": {"question": "h"}, "outputs": {"answer": RIGHT}}],
    "metric": {"type": "exact", "field": "answer"},
    "optimizer": "copro",
    "seed": 7,
}


def model(request: Json) -> Json:
    """Right for q1, and for everything once the prompt has a good demonstration or the word BETTER."""
    shown = json.dumps(request["messages"][:-1])
    taught = "BETTER" in request["system"] or RIGHT in shown
    written = ("proposed_instruction", "new_instruction", "natural_language_rules", "instruction")
    values: Json = dict.fromkeys(written, "BETTER")
    if "answer" in wanted(request):
        values["answer"] = RIGHT if taught or given(request)["question"] == "q1" else "wrong"
    return reply(request, **{name: values.get(name, f"the {name}") for name in wanted(request)})


def judge(params: Json) -> Json:
    right = params["prediction"].get("answer") == RIGHT
    return {"score": 1.0 if right else 0.0, "feedback": "good" if right else f"write {RIGHT!r}"}


def optimize(app: App, answer: Any = model, seconds: float = 30, **changes: Any) -> Json:
    app.answers["lm.complete"] = lambda params: answer(params["request"])
    app.answers["metric.score"] = judge
    return app.ask("optimize", {**JOB, **changes}, seconds)


def count(app: App, method: str = "lm.complete") -> int:
    return len([message for message in app.asked if message["method"] == method])


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_each_finds_something_better(app: App, optimizer: str) -> None:
    found = optimize(app, optimizer=optimizer)
    assert found["train"] == {"before": pytest.approx(1 / 6), "after": 1.0}
    assert found["validation"] == {"before": 0.0, "after": 1.0}
    assert found["stopped"] is None
    (before,), (after,) = found["predictors_before"], found["predictors"]
    assert before["demos"] == []
    assert after["name"] == "predict"
    assert after["demos"] or "BETTER" in after["instructions"]
    assert count(app, "metric.score") == 0
    reports = [message["params"] for message in app.received if message.get("method") == "progress"]
    fractions = [progress["fraction"] for progress in reports]
    assert fractions == sorted(fractions)
    assert 0.0 <= fractions[0] <= fractions[-1] <= 1.0
    assert 1.0 in [progress.get("score") for progress in reports]
    # What it found is a state that an execution takes without a word.
    ran = app.ask("execute", {**JOB, "params": {"question": "q9"}, "state_blob": found["state_blob"]})
    assert ran == {"outputs": {"answer": RIGHT}, "diagnostics": []}


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_the_same_seed_finds_the_same(app: App, optimizer: str) -> None:
    one = optimize(app, optimizer=optimizer)
    asked = count(app)
    two = optimize(app, optimizer=optimizer)
    assert one == two
    assert count(app) == 2 * asked


def test_another_seed_takes_other_examples(app: App) -> None:
    options = {"k": 2}
    found = [optimize(app, optimizer="labeled_few_shot", options=options, seed=seed)["predictors"] for seed in range(6)]
    assert any(one != found[0] for one in found)


@pytest.mark.parametrize("template", ["chain_of_thought", "best_of_n", "refine", "multi_chain_comparison"])
@pytest.mark.parametrize("optimizer", ["bootstrap_few_shot", "gepa"])
def test_other_templates_learn_too(app: App, template: str, optimizer: str) -> None:
    found = optimize(app, template_id=template, optimizer=optimizer, metric={"type": "assertions"})
    assert found["train"]["after"] == 1.0
    assert count(app, "metric.score") > 0


def test_pipelines_learn_each_step(app: App) -> None:
    def answer(request: Json) -> Json:
        return reply(request, **{name: {"problems": [], "answer": RIGHT}.get(name, [RIGHT]) for name in wanted(request)})

    found = optimize(app, answer, template_id="extract_then_verify", optimizer="bootstrap_few_shot")
    assert [len(predictor["demos"]) for predictor in found["predictors"]] == [4, 4]
    pages = [{"inputs": {"pages": ["a", "b"]}, "outputs": {"answer": RIGHT}}]
    changes: Json = {"signature": "pages: list[str] -> answer", "trainset": pages, "valset": []}
    found = optimize(app, answer, template_id="map_reduce", optimizer="bootstrap_few_shot", **changes)
    assert [predictor["name"] for predictor in found["predictors"]] == ["map", "reduce"]
    assert all(predictor["demos"] for predictor in found["predictors"])
    assert found["validation"] is None


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("budget", [1, 7, 20, 40])
def test_a_budget_is_kept_and_nothing_found_is_lost(app: App, optimizer: str, budget: int) -> None:
    found = optimize(app, optimizer=optimizer, budget=budget)
    assert count(app) <= budget
    assert found["train"]["after"] >= found["train"]["before"]
    assert found["state_blob"]["state"]["predict"]["lm"] is None
    if budget == 1:
        assert found["stopped"] == "budget"


def test_a_budget_leaves_a_judged_candidate(app: App) -> None:
    free = optimize(app, optimizer="copro")
    app.asked.clear()
    found = optimize(app, optimizer="copro", budget=30)
    assert found["stopped"] == "budget"
    assert found["train"] == free["train"]
    assert found["validation"] == {"before": 0.0, "after": 1.0}


@pytest.mark.parametrize("left", [0, 3, 7, 16, 25])
def test_the_apps_own_limit_ends_it_with_the_best_so_far(app: App, left: int) -> None:
    lock, asked = threading.Lock(), [0]

    def limited(request: Json) -> Json:
        with lock:
            asked[0] += 1
            if asked[0] > left:
                raise AppError("over_budget", "the run may not use more")
        return model(request)

    found = optimize(app, limited, optimizer="copro")
    assert found["stopped"] == "budget"
    assert found["train"]["after"] >= found["train"]["before"]
    if left >= 25:
        assert found["train"]["after"] == 1.0


def test_it_starts_from_a_state(app: App) -> None:
    found = optimize(app, optimizer="copro", state_blob=optimize(app, optimizer="labeled_few_shot")["state_blob"])
    assert found["train"] == {"before": 1.0, "after": 1.0}
    assert found["predictors_before"][0]["demos"]


def test_an_unavailable_model_ends_it(app: App) -> None:
    def unavailable(_: Json) -> Json:
        raise AppError("model", "no key")

    with pytest.raises(AppError, match="no key") as caught:
        optimize(app, unavailable)
    assert caught.value.kind == "model"
    assert count(app) < 10


def breaking(after: int) -> Any:
    """A model that is gone after so many answers."""
    lock, asked = threading.Lock(), [0]

    def answer(request: Json) -> Json:
        with lock:
            asked[0] += 1
            if asked[0] > after:
                raise AppError("model", "no connection")
        return model(request)

    return answer


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_model_that_fails_after_the_last_candidate_loses_nothing(app: App, optimizer: str) -> None:
    free = optimize(app, optimizer=optimizer, valset=TRAINING)
    answers = count(app) - len(TRAINING)
    app.asked.clear()
    found = optimize(app, breaking(answers), optimizer=optimizer, valset=TRAINING)
    assert found == {**free, "stopped": "model", "validation": None}
    said = [message["params"]["text"] for message in app.received if message.get("method") == "log"]
    assert any("The model failed" in text and "no connection" in text for text in said)
    # The failures that show that it is gone, and those of the threads beside.
    assert count(app) <= answers + 6


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("answers", [0, 5, 7, 10, 14, 18, 22, 26, 30, 40])
def test_an_unavailable_model_ends_it_with_the_best_candidate_if_it_is_better(app: App, optimizer: str, answers: int) -> None:
    found, failure = None, None
    try:
        found = optimize(app, breaking(answers), optimizer=optimizer, valset=[])
    except AppError as error:
        failure = error
    if found is None:
        assert failure
        assert failure.kind in ("model", "failed")
        assert "no connection" in failure.message
        return
    assert answers > 6
    assert found["train"]["after"] > found["train"]["before"]
    # Two failures cost their examples only, but one ends a search that wanted more than an example's answer.
    assert found["stopped"] in (("model",) if count(app) >= answers + 3 else (None, "model"))
    assert (found["stopped"] is None) or count(app) > answers


def test_an_optimizer_that_fails_without_words_is_reported_with_what_caused_it(app: App) -> None:
    def no_rules(request: Json) -> Json:
        if "natural_language_rules" in wanted(request):
            raise AppError("model", "no connection")
        return model(request)

    said = []
    try:
        optimize(app, no_rules, optimizer="infer_rules", valset=[])
    except AppError as error:
        said.append(error.message)
    said += [message["params"]["text"] for message in app.received if message.get("method") == "log"]
    (failure,) = [text for text in said if text.startswith("Infer rules failed")]
    assert failure.endswith("no connection")


def test_a_model_that_fails_during_a_search_keeps_its_candidates(app: App) -> None:
    found = optimize(app, breaking(25), optimizer="copro")
    assert (found["stopped"], found["validation"]) == ("model", None)
    assert found["train"] == {"before": pytest.approx(1 / 6), "after": 1.0}
    assert found["predictors"][0]["instructions"] == "BETTER"


def test_a_question_that_fails_costs_its_example_only(app: App) -> None:
    def flaky(request: Json) -> Json:
        if given(request).get("question") == "q2":
            raise AppError("model", "too long")
        return model(request)

    assert optimize(app, flaky, optimizer="copro")["train"]["after"] == pytest.approx(5 / 6)


def test_an_app_that_cannot_judge_fails_it(app: App) -> None:
    def broken(_: Json) -> Json:
        raise AppError("internal", "broken")

    app.answers["lm.complete"] = lambda params: model(params["request"])
    app.answers["metric.score"] = broken
    with pytest.raises(AppError, match="broken") as caught:
        app.ask("optimize", {**JOB, "metric": {"type": "assertions"}})
    assert caught.value.kind == "failed"


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_it_is_stopped_while_it_waits_for_the_model(app: App, optimizer: str) -> None:
    waiting, stopped = threading.Event(), threading.Event()

    def slow(request: Json) -> Json:
        if len(app.asked) > 14:
            waiting.set()
            # Longer than the test waits for the result.
            stopped.wait(60)
        return model(request)

    app.answers["lm.complete"] = lambda params: slow(params["request"])
    identity = app.begin("optimize", {**JOB, "optimizer": optimizer, "valset": TRAINING})
    assert waiting.wait(20)
    app.notify("cancel", {"job": identity})
    with pytest.raises(AppError) as caught:
        app.result(identity)
    assert caught.value.kind == "cancelled"
    stopped.set()
    # What was written before that may still be read.
    time.sleep(0.2)
    asked = len(app.asked)
    time.sleep(0.2)
    assert len(app.asked) == asked


@pytest.mark.parametrize(
    "changes",
    [
        {"optimizer": "mipro"},
        {"optimizer": "labeled_few_shot", "template_id": "react"},
        {"trainset": []},
        {"trainset": TRAINING[:1]},
        {"options": {"breadth": 1}},
        {"options": {"magic": 1}},
        {"metric": {"type": "exact", "field": "other"}},
        {"trainset": [{"inputs": {"question": "q"}}, *TRAINING]},
        {"trainset": [{"inputs": {}, "outputs": {"answer": "x"}}, *TRAINING]},
        {"valset": [{"inputs": {"question": "q"}}]},
        {"metric": {"type": "assertions"}, "optimizer": "infer_rules", "trainset": [{"inputs": {"question": "q"}}, *TRAINING]},
    ],
    ids=str,
)
def test_what_makes_no_sense_is_invalid(app: App, changes: Json) -> None:
    with pytest.raises(AppError) as caught:
        optimize(app, **changes)
    assert caught.value.kind == "invalid"
    assert not app.asked


@pytest.mark.parametrize(
    ("kind", "signature", "wanted_value", "got", "score"),
    [
        ("exact", "q -> a", " x ", "x", 1.0),
        ("exact", "q -> a", "x", "xy", 0.0),
        ("exact", "q -> a: list[int]", [1, 2], [1, 2], 1.0),
        ("contains", "q -> a", "x", "axb", 1.0),
        ("contains", "q -> a", "X", "axb", 0.0),
        ("contains", "q -> a: list[str]", ["x"], ["y", "x"], 1.0),
        ("contains", "q -> a: list[str]", ["x", "z"], ["y", "x"], 0.0),
    ],
)
def test_metrics_that_are_compared_here(app: App, kind: str, signature: str, wanted_value: Any, got: Any, score: float) -> None:
    example = {"inputs": {"q": "?"}, "outputs": {"a": wanted_value}}
    found = optimize(
        app,
        lambda request: reply(request, a=got),
        signature=signature,
        trainset=[example],
        valset=[],
        metric={"type": kind, "field": "a"},
        optimizer="labeled_few_shot",
    )
    assert found["train"]["before"] == score
