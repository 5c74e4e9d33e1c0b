"""How a script ended otherwise than well, as the host is told: a dict with `how` and its details."""

import traceback

from handover import BadResult

# Characters of a message and of a traceback.
LONGEST = 20_000


def syntax(error: BaseException) -> dict:
    """What the compiler found. Text that is too deep for it has no place."""
    if isinstance(error, SyntaxError):
        message, line, column = error.msg, error.lineno, error.offset
    else:
        message, line, column = f"the script can't be compiled: {error or type(error).__name__}", 1, 1
    return {"how": "syntax", "message": cut(str(message)), "line": max(line or 1, 1), "column": max(column or 1, 1)}


def uncaught(error: BaseException, name: str) -> dict | None:
    """What nothing in the script `name` caught."""
    # Not `isinstance`, which believes what an exception says of its class.
    kind = type(error)
    if issubclass(kind, MemoryError):
        return {"how": "memory"}
    if issubclass(kind, SystemExit):
        return exited(error.code)
    line = line_of(error, name)
    if issubclass(kind, BadResult):
        return {"how": "bad-result", "message": cut(message_of(error)), "line": line}
    return {
        "how": "raised",
        "type": cut(kind.__qualname__),
        "message": cut(message_of(error)),
        "traceback": cut(traceback_of(error, name)),
        "line": line,
    }


def exited(code: object) -> dict | None:
    """`sys.exit` as the interpreter takes it: nothing and 0 end a script well, and what is no number is a message."""
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
        return "(its message can't be made)"


def traceback_of(error: BaseException, name: str) -> str:
    try:
        report = traceback.TracebackException.from_exception(error, compact=True)
        only(report, name)
        return "".join(report.format())
    except BaseException:
        return f"{type(error).__qualname__}: {message_of(error)}"


def only(report: traceback.TracebackException, name: str) -> None:
    """Takes the frames of other files out of a report and of what it hangs together with."""
    waiting = [report]
    while waiting:
        one = waiting.pop()
        one.stack[:] = [frame for frame in one.stack if frame.filename == name]
        waiting += [other for other in (one.__cause__, one.__context__, *(one.exceptions or ())) if other is not None]


def cut(text: str) -> str:
    """At most so much, of a long text its beginning and its end."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]}\n…\n{text[-LONGEST // 2 :]}"
    return text.encode(errors="backslashreplace").decode()
