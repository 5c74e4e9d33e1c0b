"""How many questions an optimisation may ask, and what a failing model means for it."""

import threading
from typing import Self

from inklings_dspy.errors import JobFailed, ModelFailed, OverBudget
from inklings_dspy.host import Host
from inklings_dspy.messages import Completion, Request

# One failed question costs an example; a model that fails again and again is gone.
MOST_FAILURES = 3


class Account:
    """Counts the questions of a job."""

    def __init__(self, host: Host, budget: int | None) -> None:
        self.host = host
        self.budget = budget
        self.asked = 0
        self.failures = 0
        self.closed = False
        self.lock = threading.Lock()

    def left(self) -> float:
        """Questions that may still be asked."""
        if self.closed:
            return 0
        return float("inf") if self.budget is None else self.budget - self.asked


class Stage:
    """A part of an optimisation, which keeps questions for the parts after it.

    dspy leaves threads behind when an evaluation is broken off; once its stage has ended they can't ask any more.
    """

    def __init__(self, account: Account, reserve: int = 0) -> None:
        self._account = account
        self._reserve = reserve
        self._ended = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True

    def check(self) -> None:
        """Raise `OverBudget` when this part is over."""
        if self._ended:
            raise OverBudget("this part of the optimisation is over")

    def complete(self, request: Request) -> Completion:
        """Ask the run's model."""
        account = self._account
        with account.lock:
            self.check()
            if account.left() <= self._reserve:
                raise OverBudget("the budget of questions is used up")
            account.asked += 1
        try:
            completion = account.host.complete(request)
        except OverBudget:
            account.closed = True
            raise
        except ModelFailed as error:
            with account.lock:
                account.failures += 1
                if account.failures >= MOST_FAILURES:
                    raise
            raise JobFailed(str(error)) from error
        account.failures = 0
        return completion
