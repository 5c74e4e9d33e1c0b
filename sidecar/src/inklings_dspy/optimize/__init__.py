"""Optimizes a program: searches for a better state and returns it with scores before and after."""

from inklings_dspy.optimize.optimizers import OPTIMIZERS
from inklings_dspy.optimize.run import optimize

__all__ = ["OPTIMIZERS", "optimize"]
