"""Runs a file of a skill as a program: verbatim, with arguments and standard streams. Nothing here is a security boundary."""

import atexit
import io
import os
import posixpath
import random
import sys
import traceback
import types
from json import dumps

from wit_world.imports import host

import denied
import inklings
import json_encoding
import output
import report
import skill_modules

MODULE_HINT = "The sandbox has Python's standard library and the modules of this skill. Other packages can't be installed."

# Modules of the sandbox itself, whose names a skill can use for its own.
INTERNAL = ("app", "denied", "json_encoding", "output", "program", "report", "runner", "skill_modules")

exit_process = os._exit


def run(path: str, source: str, args: list[str], stdin: str) -> None:
    """Run a file, and report to the host how it ended."""
    # The generator was seeded when the component was built.
    random.seed()
    out, err = output.Stream(host.output), output.Stream(host.log)
    sys.stdout, sys.stderr = out, err
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    sys.argv = [path, *args]
    sys.path[:] = [posixpath.dirname(path) or ".", "."]
    for name in INTERNAL:
        sys.modules.pop(name, None)
    finder = skill_modules.Finder()
    sys.meta_path.append(finder)
    denied.deny_open("write results to standard output")
    os._exit = leave
    inklings.submit = print_result
    ending = execute(path, source, finder, err)
    for finish in (atexit._run_exitfuncs, flush, out.finish, err.finish):
        try:
            finish()
        except BaseException:
            # The script changed what these use.
            pass
    report_ending(ending)


def execute(path: str, source: str, finder: skill_modules.Finder, err: output.Stream) -> dict | None:
    try:
        code = skill_modules.compiled(source, path)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        err.write("".join(traceback.format_exception_only(error)))
        return report.syntax(error)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    module.__file__ = path
    try:
        exec(code, module.__dict__)
    except BaseException as error:
        files = {path, *finder.imported}
        ending = report.uncaught(error, path, files)
        try:
            explain(error, files, err)
        except BaseException:
            # An exception can raise when it is converted.
            pass
        return ending
    return None


def explain(error: BaseException, files: set[str], err: output.Stream) -> None:
    """Print an uncaught exception, as the interpreter does."""
    kind = type(error)
    if issubclass(kind, SystemExit):
        if error.code is not None and not isinstance(error.code, int):
            err.write(f"{error.code}\n")
    elif not issubclass(kind, MemoryError):
        err.write(report.traceback_of(error, files))
        if issubclass(kind, ModuleNotFoundError):
            err.write(f"{MODULE_HINT}\n")


def flush() -> None:
    """Flush the standard streams, which the script may have replaced."""
    sys.stdout.flush()
    sys.stderr.flush()


def report_ending(ending: dict | None) -> None:
    if ending is not None:
        host.call(b"ended", dumps(ending).encode())


def leave(status: int):
    """End the process at once, as `os._exit` does. The host can't tell one code from another."""
    report_ending(report.exited(status))
    exit_process(status)


def print_result(value) -> None:
    """Stands in for `inklings.submit`: a program's result is its output."""
    print(json_encoding.encode(value, "result").decode())
