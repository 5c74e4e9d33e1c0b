"""A fake app: starts the process, answers its requests by functions, and sends requests."""

import contextlib
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).parent.parent
FIELD = re.compile(r"\[\[ ## (\w+) ## \]\]")
QUOTED = re.compile(r"`(\w+)`")

type Json = dict[str, Any]
type Answer = Callable[[Json], Any]


class AppError(Exception):
    """An error response, sent or received by the app."""

    def __init__(self, kind: str, message: str = "no", code: int = -32000) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind, self.message, self.code = kind, message, code


def completion(text: str) -> Json:
    """A model's answer."""
    usage = {"input_tokens": 10, "output_tokens": 5, "cached_tokens": None}
    return {"text": text, "tool_calls": [], "finish": "stop", "usage": usage, "model": "scripted"}


def last(request: Json) -> str:
    """The last message of a request."""
    return request["messages"][-1]["parts"][-1]["text"]


def wanted(request: Json) -> list[str]:
    """The outputs that a request asks for, with either adapter."""
    text = last(request)
    asked = text[text.rindex("Respond with") :]
    return [name for name in FIELD.findall(asked) or QUOTED.findall(asked) if name != "completed"]


def given(request: Json) -> Json:
    """The inputs of a request of the ChatAdapter."""
    text = last(request)
    pieces = FIELD.split(text[: text.rindex("Respond with")])[1:]
    return {name: value.strip() for name, value in zip(pieces[::2], pieces[1::2], strict=True)}


def reply(request: Json, **values: Any) -> Json:
    """A response in the format of the request's adapter."""
    if "Respond with a JSON object" in last(request):
        return completion(json.dumps(values))
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}
    body = "".join(f"[[ ## {name} ## ]]\n{text}\n\n" for name, text in texts.items())
    return completion(body + "[[ ## completed ## ]]")


def echo(request: Json) -> Json:
    """A model that answers each output with its name."""
    return reply(request, **{name: f"the {name}" for name in wanted(request)})


class App:
    """The process and its recorded messages."""

    def __init__(self, model: Answer = echo, tool: Answer | None = None, score: Answer | None = None) -> None:
        binary = os.environ.get("INKLINGS_DSPY_BIN")
        command = [binary] if binary else [sys.executable, "-m", "inklings_dspy"]
        self.process = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PYTHONPATH": str(ROOT / "src"), "LANG": "C.UTF-8"},
        )
        self.answers: dict[str, Answer | None] = {
            "lm.complete": lambda params: model(params["request"]),
            "tool.call": tool,
            "metric.score": score,
        }
        self.asked: list[Json] = []
        self.notifications: queue.Queue[Json] = queue.Queue()
        self.received: list[Json] = []
        self.errors: list[str] = []
        self._results: dict[int, queue.Queue[Json]] = {}
        self._next = 0
        self._lock = threading.Lock()
        targets = (self._read, self._stderr)
        self._threads = [threading.Thread(target=target, daemon=True) for target in targets]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> int:
        """End its input and wait for it."""
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stderr
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            code = self.process.wait(20)
        finally:
            self.process.kill()
            for thread in self._threads:
                thread.join(5)
            self.process.stdout.close()
            self.process.stderr.close()
        return code

    def send(self, line: bytes) -> None:
        """Write a raw line."""
        assert self.process.stdin
        with self._lock:
            self.process.stdin.write(line + b"\n")
            self.process.stdin.flush()

    def begin(self, method: str, params: Json) -> int:
        """Send a request without waiting."""
        with self._lock:
            self._next += 1
            identity = self._next
            self._results[identity] = queue.Queue()
        self.send(json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params}).encode())
        return identity

    def result(self, identity: int, seconds: float = 20) -> Any:
        """Wait for an answer. Raises `AppError`."""
        message = self._results[identity].get(timeout=seconds)
        if "error" in message:
            error = message["error"]
            raise AppError(error["data"]["kind"], error["message"], error["code"])
        return message["result"]

    def ask(self, method: str, params: Json, seconds: float = 20) -> Any:
        """Send a request and wait for the answer."""
        return self.result(self.begin(method, params), seconds)

    def notify(self, method: str, params: Json) -> None:
        """Send a notification."""
        self.send(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def hear(self, method: str, seconds: float = 20) -> Json:
        """Wait for a notification, or for an error that answers no request (its method is then empty)."""
        until = time.monotonic() + seconds
        while True:
            message = self.notifications.get(timeout=max(0.01, until - time.monotonic()))
            if message.get("method", "") == method:
                return message

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message and "id" in message:
                threading.Thread(target=self._answer, args=(message,), daemon=True).start()
            elif message.get("id") in self._results:
                self._results[message["id"]].put(message)
            else:
                self.received.append(message)
                self.notifications.put(message)

    def _stderr(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.errors.append(line.decode())

    def _answer(self, message: Json) -> None:
        self.asked.append(message)
        reply: Json = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            answer = self.answers[message["method"]]
            if answer is None:
                raise AppError("tool", "there is none")  # noqa: TRY301
            reply["result"] = answer(message["params"])
        except AppError as error:
            reply["error"] = {"code": error.code, "message": error.message, "data": {"kind": error.kind}}
        with contextlib.suppress(BrokenPipeError, ValueError):
            self.send(json.dumps(reply).encode())
