"""Common part of best_of_n and refine: several attempts, scored by the app."""

from typing import Any

import dspy
from pydantic import Field

from inklings_dspy import session
from inklings_dspy.errors import JobFailed
from inklings_dspy.programs.template import Parameters, Program, keep_free


class AttemptParameters(Parameters):
    """Parameters of best_of_n and refine."""

    n: int = Field(3, ge=1, le=16, description="Maximum number of attempts.")
    threshold: float = Field(1.0, ge=0.0, le=1.0, description="Score at which no further attempt is made.")
    reasoning: bool = Field(default=True, description="Whether each attempt reasons before it answers.")


class Rewarded(Program):
    """Makes several attempts and uses the best one."""

    def __init__(self, signature: type[dspy.Signature], parameters: AttemptParameters) -> None:
        super().__init__()
        if parameters.reasoning:
            keep_free(signature, "reasoning")
        self.attempt = dspy.ChainOfThought(signature) if parameters.reasoning else dspy.Predict(signature)
        self.settings = parameters

    def run(self, inputs: dict[str, Any]) -> dspy.Prediction:
        """Make attempts, and keep the trace of the best one."""
        feedback: list[str] = []

        def reward(arguments: dict[str, Any], prediction: dspy.Prediction) -> float:
            judged = session.current().score(arguments, prediction.toDict())
            feedback.append(judged.feedback)
            return judged.score

        with dspy.context(trace=[]):
            best: Any = self.choose(reward, feedback)(**inputs)
            trace = dspy.settings.trace
        if best is None:
            raise JobFailed(f"none of {self.settings.n} attempts returned the outputs")
        # Attempts are made by copies, which optimizers wouldn't recognize.
        predictor = self.predictors()[0]
        dspy.settings.trace.extend((predictor, given, gave) for _, given, gave in trace)
        return best

    def choose(self, reward: Any, feedback: list[str]) -> dspy.Module:
        """Make the module that makes the attempts. `feedback` is that of the attempts so far."""
        raise NotImplementedError
