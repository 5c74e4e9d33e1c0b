"""The process as the app sees it: its first words, its signs of life, how it takes nonsense, how it ends."""

import json
import threading
import time
from typing import Any

import pytest

from app import App, AppError, Json, echo, reply

JOB: Json = {"template_id": "predict", "signature": "question -> answer", "params": {"question": "why?"}}
JOBS = 32


def test_it_describes_itself(app: App) -> None:
    manifest = app.ask("manifest", {})
    assert manifest["dspy"] == "3.4.1"
    assert [template["id"] for template in manifest["templates"]] == [
        "predict", "chain_of_thought", "react", "best_of_n", "refine", "multi_chain_comparison", "extract_then_verify",
        "map_reduce",
    ]  # fmt: skip
    known = {optimizer["id"] for optimizer in manifest["optimizers"]}
    for described in manifest["templates"]:
        assert set(described["optimizers"]) <= known
    for settings in [*(one["parameters"] for one in manifest["templates"]), *(one["options"] for one in manifest["optimizers"])]:
        assert settings["additionalProperties"] is False
        assert all("default" in about and "description" in about for about in settings["properties"].values())


def test_the_first_message_is_hello_and_pings_follow_while_it_works() -> None:
    with App(lambda request: time.sleep(2.5) or echo(request)) as app:
        app.ask("execute", JOB)
        assert app.received[0]["method"] == "hello"
        assert app.received[0]["params"]["pid"] == app.process.pid
        assert "ping" in [message.get("method") for message in app.received]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"nonsense", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":', -32700),
        (b"\xff\xfe", -32700),
        (b"[]", -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"manifest"}', -32600),
        (b'{"jsonrpc":"2.0","id":1}', -32600),
        (b'{"jsonrpc":"2.0","method":"dance"}', -32601),
        (b'{"jsonrpc":"2.0","method":"cancel","params":{"job":"x"}}', -32602),
    ],
)
def test_nonsense_gets_an_error_and_it_goes_on(app: App, line: bytes, code: int) -> None:
    app.send(line)
    error = app.hear("")
    assert (error["id"], error["error"]["code"], error["error"]["data"]["kind"]) == (None, code, "protocol")
    assert app.ask("execute", JOB)["outputs"] == {"answer": "the answer"}


def test_a_line_that_is_too_long_is_skipped(app: App) -> None:
    app.send(b'{"a":"' + b"x" * (33 << 20) + b'"}')
    assert "MiB" in app.hear("")["error"]["message"]
    assert app.ask("execute", JOB)


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [("dance", {}, -32601), ("execute", {}, -32602), ("execute", {**JOB, "params": 1}, -32602), ("optimize", JOB, -32602)],
)
def test_requests_out_of_the_protocol(app: App, method: str, params: Json, code: int) -> None:
    with pytest.raises(AppError) as caught:
        app.ask(method, params)
    assert (caught.value.kind, caught.value.code) == ("protocol", code)


def test_answers_that_nobody_waits_for_and_empty_lines_are_dropped(app: App) -> None:
    for line in (b'{"jsonrpc":"2.0","id":99999,"result":1}', b'{"jsonrpc":"2.0","id":null,"result":1}', b"", b"  "):
        app.send(line)
    app.notify("cancel", {"job": 99999})
    assert app.ask("execute", JOB)


def test_an_integer_that_is_too_large_for_json_fails_the_job_only() -> None:
    with App(lambda request: reply(request, n=10**23)) as app, pytest.raises(AppError) as caught:
        app.ask("execute", {**JOB, "signature": "question -> n: int"})
    assert (caught.value.kind, "64-bit" in str(caught.value)) == ("failed", True)


@pytest.mark.parametrize(
    "answer", [None, {}, {"text": 1}, {"text": "x", "tool_calls": [], "finish": "done", "usage": {}, "model": ""}]
)
def test_a_completion_that_cannot_be_read_fails_the_model(app: App, answer: Any) -> None:
    app.answers["lm.complete"] = lambda _: answer
    with pytest.raises(AppError) as caught:
        app.ask("execute", JOB)
    assert caught.value.kind == "model"


def test_many_jobs_at_once_stay_apart() -> None:
    at_once = threading.Barrier(JOBS)

    def model(request: Json) -> Json:
        # It breaks unless all jobs wait for the model at the same time.
        at_once.wait(20)
        text = request["messages"][-1]["parts"][0]["text"]
        return reply(request, reasoning="", answer=text[: text.index("Respond")].split()[-1], problems=[])

    with App(model) as app:
        app.hear("hello")
        jobs = [
            app.begin("execute", {**JOB, "template_id": "chain_of_thought", "params": {"question": f"q{number}"}})
            for number in range(JOBS)
        ]
        assert [app.result(job)["outputs"]["answer"] for job in jobs] == [f"q{number}" for number in range(JOBS)]


@pytest.mark.parametrize("template", ["predict", "best_of_n", "map_reduce", "multi_chain_comparison"])
def test_a_job_is_stopped_while_it_waits_for_the_model(template: str) -> None:
    waiting, done = threading.Event(), threading.Event()

    def model(request: Json) -> Json:
        waiting.set()
        # Longer than the test waits for the result.
        done.wait(60)
        return echo(request)

    with App(model) as app:
        job: Json = {**JOB, "template_id": template, "signature": "question, pages: list[str] -> answer"}
        job["params"] = {"question": "why?", "pages": ["a", "b", "c"]}
        identity = app.begin("execute", job)
        waiting.wait(20)
        asked = len(app.asked)
        app.notify("cancel", {"job": identity})
        with pytest.raises(AppError) as caught:
            app.result(identity)
        assert caught.value.kind == "cancelled"
        done.set()
        time.sleep(0.1)
        # Nothing is asked on its behalf any more, and what comes after it is as if nothing had been.
        assert len(app.asked) <= max(asked, 4)
        app.answers["lm.complete"] = lambda params: echo(params["request"])
        assert app.ask("execute", JOB)["outputs"] == {"answer": "the answer"}


def test_jobs_that_wait_for_a_thread_can_be_stopped_too() -> None:
    done = threading.Event()
    with App(lambda request: done.wait(20) and echo(request)) as app:
        app.hear("hello")
        jobs = [app.begin("execute", JOB) for _ in range(33)]
        app.notify("cancel", {"job": jobs[-1]})
        with pytest.raises(AppError, match="canceled"):
            app.result(jobs[-1], 10)
        done.set()
        for job in jobs[:-1]:
            assert app.result(job)


@pytest.mark.parametrize("by", ["shutdown", "the end of its input"])
def test_it_ends_at_once_whatever_it_does(by: str) -> None:
    # The model takes longer than the test waits for the end.
    with App(lambda _: time.sleep(60)) as app:
        app.begin("execute", JOB)
        while not app.asked:
            time.sleep(0.01)
        if by == "shutdown":
            app.notify("shutdown", {})
            assert app.process.wait(20) == 0
        else:
            assert app.close() == 0


def test_nothing_else_is_printed_on_its_output(app: App) -> None:
    # Attempts that fail are printed by dspy.
    app.answers["lm.complete"] = lambda params: {**echo(params["request"]), "text": ""}
    with pytest.raises(AppError):
        app.ask("execute", {**JOB, "template_id": "best_of_n"})
    assert all(message.get("jsonrpc") == "2.0" for message in app.received)
    json.dumps(app.received)
