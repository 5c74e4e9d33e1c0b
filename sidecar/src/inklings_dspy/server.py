"""Answers the app: reads its messages, works on each job in a thread, and gives a sign of life.

The process has no state but its jobs. It ends with its input, whatever is still being worked on.
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

MOST_LOGGED = 1000


class Server:
    """The process's side of the conversation."""

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
                self._hear(line)
            except ProtocolError as error:
                self._transport.send(protocol.error(None, "protocol", str(error), error.code))
        # Threads of jobs would keep the interpreter alive until they are through.
        os._exit(0)

    def _ping(self) -> None:
        while True:
            time.sleep(protocol.PING_SECONDS)
            self._peer.notify("ping", {})

    def _hear(self, line: bytes | None) -> None:
        if line is None:
            raise ProtocolError(INVALID_REQUEST, f"the line has more than {protocol.LINE_BYTES >> 20} MiB")
        message = protocol.decode(line)
        if isinstance(message, Reply):
            self._peer.answered(message)
        elif message.id is None:
            self._notified(message)
        else:
            self._asked(message, message.id)

    def _notified(self, call: Call) -> None:
        if call.method == "shutdown":
            os._exit(0)
        if call.method != "cancel":
            raise ProtocolError(METHOD_NOT_FOUND, f"there is no notification {call.method!r}")
        try:
            identity = JobRef.model_validate(call.params).job
        except ValidationError as error:
            raise ProtocolError(INVALID_PARAMS, described(error)) from None
        # Answered right here, so that nothing a job is busy with can delay it. A job that is through already was answered.
        if job := self._taken(identity):
            job.cancel()
            self._transport.send(protocol.error(identity, "cancelled", "stopped"))

    def _asked(self, call: Call, identity: int) -> None:
        if call.method == "manifest":
            self._transport.send(protocol.result(identity, manifest.manifest().model_dump()))
            return
        if call.method not in self._kinds:
            message = f"there is no request {call.method!r}"
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
                raise ProtocolError(INVALID_REQUEST, f"there is a job {identity} already")
            self._jobs[identity] = job
        self._pool.submit(self._work, job, wanted, work)

    def _taken(self, identity: int) -> Job | None:
        """The job, for the one who answers it; none when it was answered."""
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
            value = work(wanted, Host(self._peer, job))
            answer = protocol.result(job.id, value.model_dump(by_alias=True))
        except (JobFailed, Stopped) as error:
            return protocol.error(job.id, error.kind, str(error))
        except Exception as error:  # noqa: BLE001
            return protocol.error(job.id, *self._fault(error))
        if len(answer) > protocol.LINE_BYTES:
            return protocol.error(job.id, "failed", f"the outputs are too large: {len(answer) >> 20} MiB")
        return answer

    def _fault(self, error: Exception) -> tuple[ErrorKind, str]:
        """What fails in a program is the program's failure, unless it is clearly ours."""
        detail = "".join(traceback.format_exception(error, limit=-8))
        self._peer.notify("log", {"level": "error", "text": detail[-MOST_LOGGED:]})
        kind: ErrorKind = "failed" if isinstance(error, ValueError | RuntimeError) else "internal"
        return kind, f"{type(error).__name__}: {error}"[:MOST_LOGGED]


class _ToApp(logging.Handler):
    """Sends what dspy warns of to the app's log."""

    def __init__(self, peer: Peer) -> None:
        super().__init__(logging.WARNING)
        self._peer = peer

    def emit(self, record: logging.LogRecord) -> None:
        """Send a line."""
        level = "error" if record.levelno >= logging.ERROR else "warning"
        self._peer.notify("log", {"level": level, "text": record.getMessage()[:MOST_LOGGED]})


def described(error: ValidationError) -> str:
    """The first thing that is wrong with params."""
    first = error.errors(include_url=False)[0]
    return f"the params are wrong at {'.'.join(str(part) for part in first['loc'])!r}: {first['msg']}"
