"""Which states were tried, and how they scored on which training examples.

Optimisers tell what they found only when they are through. The ledger hears every run of every program, so the best candidate
is known whenever one is stopped, and what was judged already needn't be asked again.
"""

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import dspy
import orjson

from inklings_dspy import state
from inklings_dspy.programs import Program
from inklings_dspy.values import plain

# Candidates that were judged on some examples only; most never are on more.
MOST_OPEN = 64

type Key = bytes


@dataclass
class Candidate:
    """A state and its scores."""

    state: bytes
    scores: dict[Key, float] = field(default_factory=dict[Key, float])

    def mean(self) -> float:
        """Its average score."""
        return sum(self.scores.values()) / len(self.scores) if self.scores else 0.0

    def snapshot(self) -> dict[str, Any]:
        """Its state."""
        return orjson.loads(self.state)


class Ledger:
    """Candidates by their state."""

    def __init__(self, training: list[dspy.Example], judged: Callable[[float], None]) -> None:
        self._examples = {example_key(example.toDict()) for example in training}
        self._by_inputs: dict[Key, set[Key]] = {}
        for example in training:
            key = example_key(example.inputs().toDict())
            self._by_inputs.setdefault(key, set()).add(example_key(example.toDict()))
        self._judged = judged
        self._open: dict[Key, Candidate] = {}
        self._complete: dict[Key, Candidate] = {}
        self._lock = threading.Lock()

    def enter(self, program: Program) -> Key:
        """Note the state of a program that ran."""
        written = orjson.dumps(state.snapshot(program))
        key = hashlib.sha256(written).digest()
        with self._lock:
            if key not in self._complete and key not in self._open:
                self._open[key] = Candidate(written)
                if len(self._open) > MOST_OPEN:
                    self._open.pop(next(iter(self._open)))
        return key

    def failed(self, candidate: Key, inputs: dict[str, Any]) -> None:
        """Note that a program gave nothing for some inputs."""
        for example in self._by_inputs.get(example_key(inputs), ()):
            self._note(candidate, example, 0.0)

    def scored(self, candidate: Key, example: dspy.Example, score: float) -> None:
        """Note a score; those of other than training examples don't matter."""
        key = example_key(example.toDict())
        if key in self._examples:
            self._note(candidate, key, score)

    def _note(self, candidate: Key, example: Key, score: float) -> None:
        with self._lock:
            found = self._open.get(candidate)
            if found is None:
                return
            found.scores[example] = score
            if len(found.scores) < len(self._examples):
                return
            self._complete[candidate] = self._open.pop(candidate)
        self._judged(found.mean())

    def has(self, program: Program) -> bool:
        """Whether a program's state was judged on every example."""
        return self.enter(program) in self._complete

    def partial(self, program: Program) -> float:
        """The average score of a program on as many examples as it was judged on."""
        key = self.enter(program)
        return (self._complete.get(key) or self._open[key]).mean()

    def best(self, favourite: Program | None = None) -> Candidate | None:
        """The best candidate that was judged on every example: of equal ones the favourite, else the first."""
        candidates = list(self._complete.values())
        if favourite is not None and (mine := self._complete.get(self.enter(favourite))):
            candidates.insert(0, mine)
        return max(candidates, key=Candidate.mean, default=None)


def example_key(values: dict[str, Any]) -> Key:
    """A key for values of fields."""
    return orjson.dumps(plain(values), option=orjson.OPT_SORT_KEYS)
