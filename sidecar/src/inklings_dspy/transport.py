"""Reads and writes lines."""

import io
import os
import sys
import threading
from collections.abc import Iterator
from typing import BinaryIO

from inklings_dspy.protocol import LINE_BYTES


class Transport:
    """Reads lines from one stream and writes lines to another."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self._reader = reader
        self._writer = writer
        self._writing = threading.Lock()

    def lines(self) -> Iterator[bytes | None]:
        """Yield each line until the input ends; None for a line that is too long and was skipped."""
        while line := self._reader.readline(LINE_BYTES + 1):
            if line.endswith(b"\n") or len(line) <= LINE_BYTES:
                if line.strip():
                    yield line
                continue
            while (rest := self._reader.readline(LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            yield None

    def send(self, message: bytes) -> None:
        """Write a line. The process ends if the output was closed."""
        try:
            with self._writing:
                self._writer.write(message + b"\n")
                self._writer.flush()
        except OSError:
            os._exit(0)


class _NullStream(io.TextIOBase):
    """Discards dspy's progress bars and reports."""

    def write(self, text: str) -> int:
        return len(text)


def claim() -> Transport:
    """Take the standard streams, so that nothing that is printed can get between the messages."""
    writer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = _NullStream()
    return Transport(sys.stdin.buffer, writer)
