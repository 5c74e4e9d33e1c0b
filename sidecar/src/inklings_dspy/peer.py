"""Requests to the app. A job waits until the answer arrives or the job is cancelled."""

import threading
from collections.abc import Callable
from itertools import count
from typing import Any

from inklings_dspy import protocol
from inklings_dspy.errors import Cancelled, JobFailed, ModelFailed, OverBudget, ScoreFailed, Stopped, ToolFailed
from inklings_dspy.protocol import LINE_BYTES, Reply
from inklings_dspy.transport import Transport

FAILURES: dict[str, type[Exception | Stopped]] = {
    "lm.complete": ModelFailed,
    "metric.score": ScoreFailed,
    "tool.call": ToolFailed,
}


class _Pending:
    """A request that waits for its answer."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self.reply: Reply | None = None


class Job:
    """A job and its cancellation."""

    def __init__(self, identity: int) -> None:
        self.id = identity
        self._lock = threading.Lock()
        self._cancelled = False
        self._waiting: set[_Pending] = set()

    @property
    def cancelled(self) -> bool:
        """Whether the job was cancelled."""
        return self._cancelled

    def cancel(self) -> None:
        """Cancel the job and wake its waiting requests."""
        with self._lock:
            self._cancelled = True
            for pending in self._waiting:
                pending.ready.set()

    def check(self) -> None:
        """Raise `Cancelled` if the job was cancelled."""
        if self._cancelled:
            raise Cancelled("canceled")

    def wait(self, pending: _Pending, send: Callable[[], None]) -> Reply:
        """Ask and wait for the answer, or raise `Cancelled`."""
        with self._lock:
            self.check()
            self._waiting.add(pending)
        try:
            send()
            pending.ready.wait()
        finally:
            with self._lock:
                self._waiting.discard(pending)
        self.check()
        if pending.reply is None:
            raise Cancelled("canceled")
        return pending.reply


class Peer:
    """The connection to the app."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._ids = count(1)
        self._lock = threading.Lock()
        self._pending: dict[int, _Pending] = {}

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification."""
        self._transport.send(protocol.notification(method, params))

    def ask(self, job: Job, method: str, params: dict[str, Any]) -> Any:
        """Send a request of a job. Errors are raised as what they mean for the job."""
        pending = _Pending()
        with self._lock:
            identity = next(self._ids)
            self._pending[identity] = pending
        message = protocol.request(identity, method, {"job": job.id, **params})
        try:
            if len(message) > LINE_BYTES:
                raise JobFailed(f"the request is too large: {len(message) >> 20} MiB")
            reply = job.wait(pending, lambda: self._transport.send(message))
        finally:
            with self._lock:
                self._pending.pop(identity, None)
        if reply.error is not None:
            raise failure(method, reply.error)
        return reply.result

    def answered(self, reply: Reply) -> bool:
        """Pass an answer to its request. False if no request waits for it."""
        with self._lock:
            pending = self._pending.get(reply.id) if reply.id is not None else None
        if pending is None:
            return False
        pending.reply = reply
        pending.ready.set()
        return True


def failure(method: str, error: dict[str, Any]) -> Exception | Stopped:
    """What the app's error means for the job."""
    data = error.get("data")
    kind = data.get("kind") if isinstance(data, dict) else None
    message = str(error.get("message", "no reason given"))
    if kind == "cancelled":
        return Cancelled(message)
    if kind == "over_budget":
        return OverBudget(message)
    return FAILURES[method](message)
