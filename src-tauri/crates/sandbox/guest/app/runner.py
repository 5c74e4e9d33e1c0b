"""Runs one script. Nothing here is a security boundary: the script can access all of it."""

import io
import keyword
import linecache
import random
import sys
import types
import unicodedata
from json import dumps

from wit_world.imports import host

import denied
import inklings
import report
from output import Log

# Globals that parameters can't override, besides all `__dunder__` names.
RESERVED = {"inklings", "params"}


def run(name: str, source: str, params: dict) -> None:
    """Run a script, and report a failure to the host."""
    # The generator was seeded when the component was built.
    random.seed()
    out = Log()
    sys.stdout = sys.stderr = out
    sys.stdin = io.StringIO()
    denied.deny_open("return results with inklings.submit(value)")
    failure = execute(name, source, params, out)
    out.flush()
    if failure is not None:
        host.call(b"ended", dumps(failure).encode())


def execute(name: str, source: str, params: dict, out: Log) -> dict | None:
    try:
        # A byte order mark.
        source = source.removeprefix("\ufeff")
        code = compile(source, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        return report.syntax(error)
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    names = module.__dict__
    names.update(globals_of(params), inklings=inklings, params=params, __file__=name)
    try:
        exec(code, names)
    except BaseException as error:
        if isinstance(error, SystemExit) and isinstance(error.code, str):
            out.write(f"{error.code}\n")
        return report.uncaught(error, name, (name,))
    return None


def globals_of(params: dict) -> dict:
    """The parameters whose names are identifiers, which Python normalizes."""
    normal = ((unicodedata.normalize("NFKC", name), value) for name, value in params.items())
    return {name: value for name, value in normal if is_global(name)}


def is_global(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name) and name not in RESERVED and not (name[:2] == "__" == name[-2:])
