"""Sends standard output and standard error of a script to its log."""

import io

from wit_world.imports import host

# Maximum buffered characters of an incomplete line.
MAX_BUFFERED = 8192

# Whether the log has reached its limit.
_full = False


def write(text: str) -> None:
    """Write to the log, until it is full."""
    global _full
    if not _full:
        _full = not host.log(text.encode(errors="backslashreplace"))


class Log(io.TextIOBase):
    """A line-buffered text stream to the log."""

    encoding = "utf-8"
    errors = "backslashreplace"

    def __init__(self) -> None:
        self._buffer: list[str] = []
        self._length = 0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._buffer.append(text)
        self._length += len(text)
        if "\n" in text or self._length >= MAX_BUFFERED:
            self.flush()
        return len(text)

    def flush(self) -> None:
        if self._buffer:
            text = "".join(self._buffer)
            self._buffer.clear()
            self._length = 0
            write(text)
