"""Standard streams of a script. What it writes is sent to the host, until that has enough."""

import codecs
import io

from wit_world.imports import host

# Maximum buffered characters of an incomplete line.
MAX_BUFFERED = 8192
# Bytes of one call: beyond its limit the host drops them.
MAX_CHUNK = 65536

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


class Sink(io.RawIOBase):
    """A byte stream to a function of the host that returns whether it takes more. Characters are sent whole."""

    def __init__(self, send) -> None:
        self._send = send
        self._full = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def writable(self) -> bool:
        return True

    def write(self, data) -> int:
        data = memoryview(data).cast("B")
        for start in range(0, len(data), MAX_CHUNK):
            self._put(self._decoder.decode(data[start : start + MAX_CHUNK]))
        return len(data)

    def finish(self) -> None:
        """Send what is left of an incomplete character."""
        self._put(self._decoder.decode(b"", final=True))

    def _put(self, text: str) -> None:
        if text and not self._full:
            self._full = not self._send(text.encode())


class Stream(io.TextIOWrapper):
    """A line-buffered text stream to a function of the host, with a `buffer` for bytes."""

    def __init__(self, send) -> None:
        super().__init__(Sink(send), encoding="utf-8", errors="backslashreplace", line_buffering=True)

    def finish(self) -> None:
        """Send everything that was written. The script may have closed the stream."""
        if not self.closed:
            self.flush()
            self.buffer.finish()
