"""What the process may not do. The hook can't be taken out, so each is tried in a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

from inklings_dspy import guard

ROOT = Path(__file__).parent.parent
TRIES = """
import os, socket, subprocess, shutil, tempfile, ctypes, urllib.request
from inklings_dspy import guard
guard.install()
tries = {
    "socket": lambda: socket.socket().connect(("127.0.0.1", 9)),
    "name": lambda: socket.getaddrinfo("localhost", 80),
    "url": lambda: urllib.request.urlopen("http://127.0.0.1:9"),
    "unix socket": lambda: socket.socket(socket.AF_UNIX).connect("/tmp/x"),
    "process": lambda: subprocess.run(["true"]),
    "system": lambda: os.system("true"),
    "fork": lambda: os.fork(),
    "exec": lambda: os.execv("/bin/true", ["true"]),
    "spawn": lambda: os.posix_spawn("/bin/true", ["true"], {}),
    "write": lambda: open("PATH/new", "w"),
    "append": lambda: open("PATH/new", "a"),
    "update": lambda: open("PATH/old", "r+"),
    "low": lambda: os.open("PATH/new", os.O_CREAT | os.O_WRONLY),
    "temporary": lambda: tempfile.TemporaryFile(dir="PATH"),
    "folder": lambda: os.mkdir("PATH/folder"),
    "remove": lambda: os.remove("PATH/old"),
    "rename": lambda: os.rename("PATH/old", "PATH/new"),
    "link": lambda: os.symlink("PATH/old", "PATH/new"),
    "tree": lambda: shutil.rmtree("PATH"),
    "library": lambda: ctypes.CDLL("libc.so.6"),
}
for name, attempt in tries.items():
    try:
        attempt()
    except PermissionError as error:
        assert "blocked in the DSPy process" in str(error), (name, error)
    else:
        raise SystemExit(name)
assert open("PATH/old").read() == "old"
import this
"""


def test_each_attempt_is_refused(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", TRIES.replace("PATH", str(tmp_path))],
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize(
    "event", ["import", "exec", "compile", "object.__getattr__", "os.listdir", "marshal.loads", "sys._getframe"]
)
def test_what_python_needs_is_let_through(event: str) -> None:
    assert not guard.refuses(event, ())


def test_reading_and_open_streams_are_let_through() -> None:
    assert not guard.refuses("open", ("/x", "r", 0))
    assert not guard.refuses("open", (2, "w", 577))
    assert guard.refuses("open", ("/x", "w", 577))
