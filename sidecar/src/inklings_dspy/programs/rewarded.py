"""What best_of_n and refine share: several attempts, judged by the app."""

from typing import Any

import dspy
from pydantic import Field

from inklings_dspy import session
from inklings_dspy.errors import JobFailed
from inklings_dspy.programs.template import Parameters, Program, keep_free


class AttemptParameters(Parameters):
    """How many attempts, and when one is good enough."""

    n: int = Field(3, ge=1, le=16, description="Maximum number of attempts.")
    threshold: float = Field(1.0, ge=0.0, le=1.0, description="Score at which an attempt is taken without another one.")
    reasoning: bool = Field(default=True, description="Whether each attempt reasons before it answers.")


class Rewarded(Program):
    """Attempts of one predictor, of which the best is taken."""

    def __init__(self, signature: type[dspy.Signature], parameters: AttemptParameters) -> None:
        super().__init__()
        if parameters.reasoning:
            keep_free(signature, "reasoning")
        self.attempt = dspy.ChainOfThought(signature) if parameters.reasoning else dspy.Predict(signature)
        self.settings = parameters

    def run(self, inputs: dict[str, Any]) -> dspy.Prediction:
        """Make attempts, keep the best one's trace."""
        feedback: list[str] = []

        def reward(arguments: dict[str, Any], prediction: dspy.Prediction) -> float:
            judged = session.current().score(arguments, prediction.toDict())
            feedback.append(judged.feedback)
            return judged.score

        with dspy.context(trace=[]):
            best: Any = self.choose(reward, feedback)(**inputs)
            trace = dspy.settings.trace
        if best is None:
            raise JobFailed(f"none of {self.settings.n} attempts gave the outputs")
        # Attempts are made by copies, which no optimiser would recognise.
        predictor = self.predictors()[0]
        dspy.settings.trace.extend((predictor, given, gave) for _, given, gave in trace)
        return best

    def choose(self, reward: Any, feedback: list[str]) -> dspy.Module:
        """The module that makes the attempts. `feedback` is what was said of those so far."""
        raise NotImplementedError
