"""Progress of an optimization, by the expected number of runs."""

import threading

from inklings_dspy.host import Host

START, END = 0.1, 0.9
STEP = 0.01


class Progress:
    """Reports monotonic progress to the app, at most once per `STEP`."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._lock = threading.Lock()
        self._fraction = -STEP
        self._text = ""
        self._from, self._to = 0.0, START
        self._runs, self._expected = 0, 1

    def begin(self, text: str, start: float, end: float, expected: int) -> None:
        """Begin a part with an expected number of runs."""
        with self._lock:
            self._text, self._from, self._to = text, start, end
            self._runs, self._expected = 0, max(expected, 1)
        self._tell(start, text)

    def ran(self) -> None:
        """A program ran."""
        with self._lock:
            self._runs += 1
            share = min(self._runs / self._expected, 1.0)
            fraction = self._from + share * (self._to - self._from)
            text = self._text
        if fraction >= self._fraction + STEP:
            self._tell(fraction, text)

    def scored(self, score: float) -> None:
        """A candidate was scored on every training example."""
        self._tell(self._fraction, f"A candidate scored {score:.0%}", score)

    def _tell(self, fraction: float, text: str, score: float | None = None) -> None:
        with self._lock:
            self._fraction = max(fraction, self._fraction, 0.0)
            self._host.progress(self._fraction, text, score)
