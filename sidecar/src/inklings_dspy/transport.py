"""Lines between the app and this process."""

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
        """Give each line until the input ends; none for one that is too long, of which the rest was skipped."""
        while line := self._reader.readline(LINE_BYTES + 1):
            if line.endswith(b"\n") or len(line) <= LINE_BYTES:
                if line.strip():
                    yield line
                continue
            while (rest := self._reader.readline(LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            yield None

    def send(self, message: bytes) -> None:
        """Write a line. The process ends when nobody reads any more: there is no one left to work for."""
        try:
            with self._writing:
                self._writer.write(message + b"\n")
                self._writer.flush()
        except OSError:
            os._exit(0)


class _Nowhere(io.TextIOBase):
    """Takes dspy's progress bars and reports, which are meant for a terminal."""

    def write(self, text: str) -> int:
        return len(text)


def claim() -> Transport:
    """Take the standard streams: nothing that is printed from now on can get between the messages."""
    writer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = _Nowhere()
    return Transport(sys.stdin.buffer, writer)
