"""Looks for a better state of a program."""
from typing import Any
from inklings_dspy.errors import JobFailed
OPTIMIZERS: dict[str, Any] = {}
def optimize(job, host):
    raise JobFailed("not yet")
