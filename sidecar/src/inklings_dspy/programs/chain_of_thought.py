"""The model reasons first, then answers."""

from typing import Any

import dspy

from inklings_dspy.programs.template import Parameters, Program, Template, keep_free


class ChainOfThought(Program):
    """One predictor with a `reasoning` field before the outputs."""

    def __init__(self, signature: type[dspy.Signature]) -> None:
        super().__init__()
        self.reason = dspy.ChainOfThought(signature)

    def run(self, inputs: dict[str, Any]) -> dspy.Prediction:
        """Ask once."""
        return self.reason(**inputs)


def build(signature: type[dspy.Signature], _parameters: Parameters) -> Program:
    """Make the program."""
    keep_free(signature, "reasoning")
    return ChainOfThought(signature)


TEMPLATE = Template(
    id="chain_of_thought",
    title="Chain of thought",
    description="Has the model reason step by step before it gives the outputs; also returns the reasoning. "
    "Better than Predict for tasks that need reasoning, at the cost of longer answers.",
    parameters=Parameters,
    build=build,
    signature_rules="`reasoning` is reserved.",
)
