"""Serves the app: reads its messages, runs each job in a thread, and sends pings.

The process has no state but its jobs. It ends with its input, even if jobs are active.
"""

import logging
import os
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import dspy
from pydantic import ValidationError

from inklings_dspy import guard, manifest, protocol
from inklings_dspy.errors import JobFailed, Stopped
from inklings_dspy.execute import execute
from inklings_dspy.host import Host
from inklings_dspy.messages import ErrorKind, Execution, Hello, JobRef, Model, Optimization
from inklings_dspy.optimize import optimize
from inklings_dspy.peer import Job, Peer
from inklings_dspy.protocol import INVALID_PARAMS, INVALID_REQUEST, JOBS, METHOD_NOT_FOUND, Call, ProtocolError, Reply
from inklings_dspy.transport import Transport

MAX_LOG_CHARS = 1000


class Server:
    """The server side of the protocol."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._peer = Peer(transport)
        self._pool = ThreadPoolExecutor(max_workers=JOBS, thread_name_prefix="job")
        self._lock = threading.Lock()
        self._jobs: dict[int, Job] = {}
        self._kinds: dict[str, tuple[type[Any], Callable[[Any, Host], Model]]] = {
            "execute": (Execution, execute),
            "optimize": (Optimization, optimize),
        }

    def run(self) -> None:
        """Serve until the input ends. Doesn't come back."""
        logging.getLogger("dspy").handlers = [_ToApp(self._peer)]
        guard.install()
        hello = Hello(protocol=protocol.PROTOCOL, dspy=dspy.__version__, pid=os.getpid())
        self._peer.notify("hello", hello.model_dump())
        threading.Thread(target=self._ping, name="ping", daemon=True).start()
        for line in self._transport.lines():
            try:
                self._handle_line(line)
            except ProtocolError as error:
                self._transport.send(protocol.error(None, "protocol", str(error), error.code))
        # The interpreter would wait for the threads of jobs.
        os._exit(0)

    def _ping(self) -> None:
        while True:
            time.sleep(protocol.PING_SECONDS)
            self._peer.notify("ping", {})

    def _handle_line(self, line: bytes | None) -> None:
        if line is None:
            raise ProtocolError(INVALID_REQUEST, f"the line is larger than {protocol.LINE_BYTES >> 20} MiB")
        message = protocol.decode(line)
        if isinstance(message, Reply):
            self._peer.answered(message)
        elif message.id is None:
            self._on_notification(message)
        else:
            self._on_request(message, message.id)

    def _on_notification(self, call: Call) -> None:
        if call.method == "shutdown":
            os._exit(0)
        if call.method != "cancel":
            raise ProtocolError(METHOD_NOT_FOUND, f"unknown notification {call.method!r}")
        try:
            identity = JobRef.model_validate(call.params).job
        except ValidationError as error:
            raise ProtocolError(INVALID_PARAMS, described(error)) from None
        # Answered here, so that a busy job can't delay it. A job that has ended was already answered.
        if job := self._taken(identity):
            job.cancel()
            self._transport.send(protocol.error(identity, "cancelled", "canceled"))

    def _on_request(self, call: Call, identity: int) -> None:
        if call.method == "manifest":
            self._transport.send(protocol.result(identity, manifest.manifest().model_dump()))
            return
        if call.method not in self._kinds:
            message = f"unknown request {call.method!r}"
            self._transport.send(protocol.error(identity, "protocol", message, METHOD_NOT_FOUND))
            return
        params, work = self._kinds[call.method]
        try:
            wanted = params.model_validate(call.params)
        except ValidationError as error:
            self._transport.send(protocol.error(identity, "protocol", described(error), INVALID_PARAMS))
            return
        job = Job(identity)
        with self._lock:
            if identity in self._jobs:
                raise ProtocolError(INVALID_REQUEST, f"job {identity} already exists")
            self._jobs[identity] = job
        self._pool.submit(self._work, job, wanted, work)

    def _taken(self, identity: int) -> Job | None:
        """Remove and return a job. None if it was already answered."""
        with self._lock:
            return self._jobs.pop(identity, None)

    def _work(self, job: Job, wanted: Model, work: Callable[[Any, Host], Model]) -> None:
        if job.cancelled:
            return
        answer = self._answer(job, wanted, work)
        if self._taken(job.id):
            self._transport.send(answer)

    def _answer(self, job: Job, wanted: Model, work: Callable[[Any, Host], Model]) -> bytes:
        try:
            value = work(wanted, Host(self._peer, job)).model_dump(by_alias=True)
        except (JobFailed, Stopped) as error:
            return protocol.error(job.id, error.kind, str(error))
        except Exception as error:  # noqa: BLE001
            return protocol.error(job.id, *self._fault(error))
        try:
            answer = protocol.result(job.id, value)
        except TypeError as error:
            # A model may answer with an integer of more than 64 bits.
            return protocol.error(job.id, "failed", f"a value can't be passed on: {error}")
        if len(answer) > protocol.LINE_BYTES:
            return protocol.error(job.id, "failed", f"the outputs are too large: {len(answer) >> 20} MiB")
        return answer

    def _fault(self, error: Exception) -> tuple[ErrorKind, str]:
        """Value and runtime errors count as failures of the program, others as internal errors."""
        detail = "".join(traceback.format_exception(error, limit=-8))
        self._peer.notify("log", {"level": "error", "text": detail[-MAX_LOG_CHARS:]})
        kind: ErrorKind = "failed" if isinstance(error, ValueError | RuntimeError) else "internal"
        return kind, f"{type(error).__name__}: {error}"[:MAX_LOG_CHARS]


class _ToApp(logging.Handler):
    """Sends dspy's warnings to the app's log."""

    def __init__(self, peer: Peer) -> None:
        super().__init__(logging.WARNING)
        self._peer = peer

    def emit(self, record: logging.LogRecord) -> None:
        """Send a line."""
        level = "error" if record.levelno >= logging.ERROR else "warning"
        self._peer.notify("log", {"level": level, "text": record.getMessage()[:MAX_LOG_CHARS]})


def described(error: ValidationError) -> str:
    """The first validation error as text."""
    first = error.errors(include_url=False)[0]
    return f"invalid params at {'.'.join(str(part) for part in first['loc'])!r}: {first['msg']}"
