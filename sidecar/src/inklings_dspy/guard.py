"""Refuses, inside the process, what its launcher refuses outside: network, other processes, writing files, foreign code.

An audit hook can't be taken out again. It is set once everything is imported and costs a dictionary look-up an event.
"""

import os
import sys
from typing import Any

REFUSED = (
    "ctypes.",
    "ftplib.",
    "http.client.",
    "imaplib.",
    "nntplib.",
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.system",
    "poplib.",
    "pty.spawn",
    "smtplib.",
    "socket.",
    "sqlite3.connect",
    "subprocess.",
    "telnetlib.",
    "urllib.Request",
    "webbrowser.",
    "winreg.",
)
CHANGING_FILES = (
    "os.chflags",
    "os.chmod",
    "os.chown",
    "os.link",
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.setxattr",
    "os.symlink",
    "os.truncate",
    "os.utime",
    "shutil.",
    "tempfile.",
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_verdicts: dict[str, bool] = {}


def refuses(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether something that Python is about to do is refused."""
    if event == "open":
        path, _, flags = arguments
        # A number is a stream that is open already.
        return not isinstance(path, int) and isinstance(flags, int) and bool(flags & _WRITING)
    verdict = _verdicts.get(event)
    if verdict is None:
        verdict = _verdicts[event] = event.startswith(REFUSED + CHANGING_FILES)
    return verdict


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if refuses(event, arguments):
        raise PermissionError(f"the DSPy process may not: {event}")


def install() -> None:
    """Start refusing."""
    sys.addaudithook(_hook)
