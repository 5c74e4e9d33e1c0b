"""Blocks network, processes, writing files and native code in the process, in addition to its launcher.

An audit hook can't be removed. It is set after all imports and costs one dictionary lookup per event.
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
FILE_CHANGES = (
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
_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_cache: dict[str, bool] = {}


def refuses(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether an audit event is blocked."""
    if event == "open":
        path, _, flags = arguments
        # A number is an open file descriptor.
        return not isinstance(path, int) and isinstance(flags, int) and bool(flags & _WRITE_FLAGS)
    verdict = _cache.get(event)
    if verdict is None:
        verdict = _cache[event] = event.startswith(REFUSED + FILE_CHANGES)
    return verdict


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if refuses(event, arguments):
        raise PermissionError(f"blocked in the DSPy process: {event}")


def install() -> None:
    """Install the audit hook."""
    sys.addaudithook(_hook)
