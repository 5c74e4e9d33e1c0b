"""Standard output and error of a script: lines of its log."""

import io

from wit_world.imports import host

# Characters that are held back at most while a line is not complete.
LONGEST = 8192

# Whether the log takes nothing more.
_full = False


def keep(text: str) -> None:
    """Adds to the log until it is full."""
    global _full
    if not _full:
        _full = not host.log(text.encode(errors="backslashreplace"))


class Log(io.TextIOBase):
    """A text stream that goes to the log line by line."""

    encoding = "utf-8"
    errors = "backslashreplace"

    def __init__(self) -> None:
        self._held: list[str] = []
        self._length = 0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._held.append(text)
        self._length += len(text)
        if "\n" in text or self._length >= LONGEST:
            self.flush()
        return len(text)

    def flush(self) -> None:
        if self._held:
            text = "".join(self._held)
            self._held.clear()
            self._length = 0
            keep(text)
