"""The candidate states of an optimization and their scores on the training examples.

Optimizers return a result only at their end. The ledger records every run of every program, so that the best candidate
is known whenever one is stopped, and no score is computed twice.
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

# Candidates that were scored on some examples only, as most are.
MAX_INCOMPLETE = 64

type Key = bytes


@dataclass
class Candidate:
    """A state and its scores."""

    state: bytes
    scores: dict[Key, float] = field(default_factory=dict[Key, float])

    def mean(self) -> float:
        """The mean score."""
        return sum(self.scores.values()) / len(self.scores) if self.scores else 0.0

    def snapshot(self) -> dict[str, Any]:
        """Its state."""
        return orjson.loads(self.state)


class Ledger:
    """Candidates by their state."""

    def __init__(self, trainset: list[dspy.Example], on_complete: Callable[[float], None]) -> None:
        self._examples = {example_key(example.toDict()) for example in trainset}
        self._by_inputs: dict[Key, set[Key]] = {}
        for example in trainset:
            key = example_key(example.inputs().toDict())
            self._by_inputs.setdefault(key, set()).add(example_key(example.toDict()))
        self._on_complete = on_complete
        self._open: dict[Key, Candidate] = {}
        self._complete: dict[Key, Candidate] = {}
        self._lock = threading.Lock()

    def enter(self, program: Program) -> Key:
        """Record the state of a program that ran."""
        written = orjson.dumps(state.snapshot(program))
        key = hashlib.sha256(written).digest()
        with self._lock:
            if key not in self._complete and key not in self._open:
                self._open[key] = Candidate(written)
                if len(self._open) > MAX_INCOMPLETE:
                    self._open.pop(next(iter(self._open)))
        return key

    def failed(self, candidate: Key, inputs: dict[str, Any]) -> None:
        """Record that a program failed for some inputs."""
        for example in self._by_inputs.get(example_key(inputs), ()):
            self._note(candidate, example, 0.0)

    def scored(self, candidate: Key, example: dspy.Example, score: float) -> None:
        """Record a score of a training example; ignore others."""
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
        self._on_complete(found.mean())

    def has(self, program: Program) -> bool:
        """Whether a program's state was scored on every example."""
        return self.enter(program) in self._complete

    def partial(self, program: Program) -> float:
        """The mean score of a program on the examples scored so far."""
        key = self.enter(program)
        return (self._complete.get(key) or self._open[key]).mean()

    def best(self, preferred: Program | None = None) -> Candidate | None:
        """The best candidate that was scored on every example: of equal ones the preferred, else the first."""
        candidates = list(self._complete.values())
        if preferred is not None and (mine := self._complete.get(self.enter(preferred))):
            candidates.insert(0, mine)
        return max(candidates, key=Candidate.mean, default=None)


def example_key(values: dict[str, Any]) -> Key:
    """A key for values of fields."""
    return orjson.dumps(plain(values), option=orjson.OPT_SORT_KEYS)
