"""Reports how a script failed, as a dict with `how` and details."""

import traceback
from collections.abc import Collection

from json_encoding import BadResult

# Maximum characters of a message and of a traceback.
MAX_CHARS = 20_000


def syntax(error: BaseException) -> dict:
    """A compile error. Source that is nested too deeply has no position."""
    if isinstance(error, SyntaxError):
        message, line, column = error.msg, error.lineno, error.offset
    else:
        message, line, column = f"the script can't be compiled: {error or type(error).__name__}", 1, 1
    return {"how": "syntax", "message": truncate(str(message)), "line": max(line or 1, 1), "column": max(column or 1, 1)}


def uncaught(error: BaseException, name: str, files: Collection[str]) -> dict | None:
    """An uncaught exception of the script `name`. `files` are all that its code is from. None if it exited normally."""
    # Not `isinstance`, which an exception can deceive by overriding `__class__`.
    kind = type(error)
    if issubclass(kind, MemoryError):
        return {"how": "memory"}
    if issubclass(kind, SystemExit):
        return exited(error.code)
    line = line_of(error, name)
    if issubclass(kind, BadResult):
        return {"how": "bad-result", "message": truncate(message_of(error)), "line": line}
    return {
        "how": "raised",
        "type": truncate(kind.__qualname__),
        "message": truncate(message_of(error)),
        "traceback": truncate(traceback_of(error, files)),
        "line": line,
    }


def exited(code: object) -> dict | None:
    """`sys.exit` as the interpreter handles it: None and 0 are success, other values than numbers mean code 1."""
    if code is None or code == 0:
        return None
    return {"how": "exited", "code": int(code) & 0xFF if isinstance(code, int) else 1}


def line_of(error: BaseException, name: str) -> int | None:
    line, trace = None, BaseException.__traceback__.__get__(error)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == name:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def message_of(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:
        return "(no message: converting the exception to a string failed)"


def traceback_of(error: BaseException, files: Collection[str]) -> str:
    try:
        report = traceback.TracebackException.from_exception(error, compact=True)
        keep_frames(report, files)
        return "".join(report.format())
    except BaseException:
        return f"{type(error).__qualname__}: {message_of(error)}"


def keep_frames(report: traceback.TracebackException, files: Collection[str]) -> None:
    """Remove the frames of other files from a report and its related exceptions."""
    waiting = [report]
    while waiting:
        one = waiting.pop()
        one.stack[:] = [frame for frame in one.stack if frame.filename in files]
        waiting += [other for other in (one.__cause__, one.__context__, *(one.exceptions or ())) if other is not None]


def truncate(text: str) -> str:
    """Keep the beginning and the end of a long text."""
    if len(text) > MAX_CHARS:
        text = f"{text[: MAX_CHARS // 2]}\n…\n{text[-MAX_CHARS // 2 :]}"
    return text.encode(errors="backslashreplace").decode()
