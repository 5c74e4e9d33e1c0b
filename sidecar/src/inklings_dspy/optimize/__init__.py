"""Looks for a better state of a program: a proposal with scores before and after, nothing is changed by it."""

from inklings_dspy.optimize.optimizers import OPTIMIZERS
from inklings_dspy.optimize.run import optimize

__all__ = ["OPTIMIZERS", "optimize"]
