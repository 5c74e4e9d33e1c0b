"""Attempts everything that the process must not do, inside the frozen process, and prints the outcomes.

Frozen together with the process for the app's tests. It implements the part of the protocol that one job needs, so that it is
started like the process. Each attempt is made twice: `before` the guard is installed, only the launcher can refuse.
"""

import ctypes
import errno
import importlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from typing import Any

from inklings_dspy import guard, protocol

type Json = dict[str, Any]
type Attempts = dict[str, Callable[[], Any]]

OWN = os.path.dirname(sys.executable)
# One more than Linux has.
FAMILIES = 47
# Looked up before anything is refused: a call needs nothing of Python any more.
LIBRARY = ctypes.CDLL(None, use_errno=True)
KINDS = {"stream": socket.SOCK_STREAM, "datagram": socket.SOCK_DGRAM, "raw": socket.SOCK_RAW, "packet": socket.SOCK_SEQPACKET}


def outcome(attempt: Callable[[], Any]) -> str:
    """What an attempt ends with: `done`, who refused it, or how else it failed."""
    try:
        attempt()
    except socket.gaierror:
        return "unknown name"
    except OSError as error:
        if "blocked in the DSPy process" in str(error):
            return "guard"
        return errno.errorcode.get(error.errno or 0, repr(error))
    except BaseException as error:  # noqa: BLE001
        return repr(error)
    return "done"


def called(name: str, *arguments: Any) -> None:
    """Call the C library, past everything that Python looks at."""
    if getattr(LIBRARY, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), name)


def succeeded(code: int) -> None:
    """Raise what the exit code of a command means that could not be started."""
    if code:
        raise OSError(errno.EPERM, "no command")


def families() -> Attempts:
    """Sockets of every family."""
    return {
        f"socket of family {family}, {name}": lambda family=family, kind=kind: socket.socket(family, kind)
        for family in range(FAMILIES)
        for name, kind in KINDS.items()
    }


def sockets(listening: str) -> Attempts:
    """Ways to speak with somebody."""
    return {
        "socket of the C library": lambda: called("socket", socket.AF_INET, socket.SOCK_STREAM, 0),
        "socket to an address": lambda: socket.create_connection(("127.0.0.1", 9), 1),
        "socket for a name": lambda: socket.getaddrinfo("localhost", 80),
        "socket that waits": lambda: socket.create_server(("127.0.0.1", 0)),
        "socket of a pair, connected": lambda: socket.socketpair()[0].connect(listening),
        "socket of a pair, datagrams": lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM),
    }


def reading(private: str) -> Attempts:
    """Ways to learn something."""
    parent = os.getppid()
    secrets = [private, "/etc/passwd", "/proc/self/environ", f"/proc/{parent}/environ", f"/proc/{parent}/mem", "/proc/self/maps"]
    return {
        **{f"read {path}": lambda path=path: open(path, "rb").read(1) for path in secrets},
        **{f"list {path}": lambda path=path: os.listdir(path) for path in (os.path.dirname(private), "/", "/tmp", "/proc")},
        "read with the C library": lambda: called("open", private.encode(), os.O_RDONLY),
        "read another's memory": lambda: called("process_vm_readv", parent, 0, 0, 0, 0, 0),
    }


def writing(private: str) -> Attempts:
    """Ways to leave something behind."""
    beside = private + ".new"
    places = (beside, "/tmp/inklings-inside", "/dev/shm/inklings-inside", f"{OWN}/inklings-inside")
    return {
        **{f"write {path}": lambda path=path: open(path, "w") for path in places},
        **{f"write by {mode}": lambda mode=mode: open(private, mode) for mode in ("w", "a", "r+", "rb+")},
        "write with the C library": lambda: called("open", beside.encode(), os.O_CREAT | os.O_WRONLY, 0o600),
        "write a file without a name": lambda: os.open(os.path.dirname(private), os.O_TMPFILE | os.O_RDWR),
        "write memory as a file": lambda: called("memfd_create", b"x", 0),
        "write a temporary file": lambda: tempfile.TemporaryFile(dir=os.path.dirname(private)),
        "make a folder": lambda: os.mkdir(beside),
        "make a pipe": lambda: os.mkfifo(beside),
        "make a link": lambda: os.link(private, beside),
        "make a symbolic link": lambda: os.symlink(private, beside),
        "remove": lambda: os.remove(private),
        "rename": lambda: os.rename(private, beside),
        "truncate": lambda: os.truncate(private, 0),
        "change rights": lambda: os.chmod(private, 0o777),
        "change times": lambda: os.utime(private),
    }


def processes() -> Attempts:
    """Ways to be more than one, or another."""
    return {
        "fork": lambda: os.fork() or os._exit(0),
        "fork with a terminal": lambda: os.forkpty()[0] or os._exit(0),
        "fork of the C library": lambda: called("fork"),
        "execute": lambda: os.execv("/bin/true", ["true"]),
        "execute with the C library": lambda: called("execv", b"/bin/true", None),
        "spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
        "spawn itself": lambda: os.posix_spawn(sys.executable, [sys.executable], {}),
        "a command": lambda: succeeded(LIBRARY.system(b"true")),
        "a process": lambda: subprocess.run([sys.executable], check=False),
        "a signal to the parent": lambda: os.kill(os.getppid(), 0),
        "a signal to all": lambda: os.kill(-1, 0),
        "a debugger of the parent": lambda: called("ptrace", 16, os.getppid(), 0, 0),
        "another user": lambda: os.setuid(1),
        "another root": lambda: os.chroot(OWN),
    }


def allowed() -> Attempts:
    """What has to go on working: an attempt that fails for any reason would prove nothing."""

    def thread() -> None:
        one = threading.Thread(target=lambda: None)
        one.start()
        one.join()

    return {
        "list its own folder": lambda: os.listdir(OWN),
        "import more of itself": lambda: importlib.import_module("dspy"),
        "begin a thread": thread,
    }


def tell(message: bytes) -> None:
    """Write a line."""
    sys.stdout.buffer.write(message + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    """Answer one job: its values say what is private, who listens, and which groups of attempts are made."""
    tell(protocol.notification("hello", {"protocol": protocol.PROTOCOL, "dspy": "inside", "pid": os.getpid()}))
    job: Json = json.loads(sys.stdin.buffer.readline())
    given: Json = job["params"]["params"]
    groups: dict[str, Attempts] = {
        "families": families(),
        "sockets": sockets(given["listening"]),
        "reading": reading(given["private"]),
        "writing": writing(given["private"]),
        "processes": processes(),
        "allowed": allowed(),
    }
    attempts = [pair for group in given["groups"] for pair in groups[group].items()]
    before = {name: outcome(attempt) for name, attempt in attempts}
    guard.install()
    after = {name: outcome(attempt) for name, attempt in attempts}
    outputs: Json = {"before": before, "after": after, "environment": dict(os.environ), "arguments": sys.argv}
    tell(protocol.result(job["id"], {"outputs": outputs, "diagnostics": []}))
    sys.stdin.buffer.read()


main()
