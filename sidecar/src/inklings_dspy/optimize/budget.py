"""The budget of model calls of an optimization, and its handling of model failures."""

import threading
from typing import Self

from inklings_dspy.errors import JobFailed, ModelFailed, OverBudget
from inklings_dspy.host import Host
from inklings_dspy.messages import Completion, Request

# One failed call costs one example; after this many in a row the model counts as unavailable.
MAX_CONSECUTIVE_FAILURES = 3


class CallBudget:
    """Counts the model calls of a job."""

    def __init__(self, host: Host, limit: int | None) -> None:
        self.host = host
        self.limit = limit
        self.used = 0
        self.failures = 0
        self.closed = False
        self.lock = threading.Lock()

    def remaining(self) -> float:
        """Remaining model calls."""
        if self.closed:
            return 0
        return float("inf") if self.limit is None else self.limit - self.used


class Stage:
    """A part of an optimization, which reserves model calls for later parts.

    dspy leaves threads behind when an evaluation is interrupted; they can't call the model after their stage has ended.
    """

    def __init__(self, budget: CallBudget, reserve: int = 0) -> None:
        self._budget = budget
        self._reserve = reserve
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True

    def check(self) -> None:
        """Raise `OverBudget` if this part has ended."""
        if self._ended:
            raise OverBudget("this part of the optimization has ended")

    def complete(self, request: Request) -> Completion:
        """Ask the run's model."""
        budget = self._budget
        with budget.lock:
            self.check()
            if budget.remaining() <= self._reserve:
                raise OverBudget("the limit of model calls is reached")
            budget.used += 1
        try:
            completion = budget.host.complete(request)
        except OverBudget:
            budget.closed = True
            raise
        except ModelFailed as error:
            with budget.lock:
                budget.failures += 1
                if budget.failures >= MAX_CONSECUTIVE_FAILURES:
                    raise
            raise JobFailed(str(error)) from error
        budget.failures = 0
        return completion
