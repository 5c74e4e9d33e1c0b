"""Several chains of thought, compared into one answer."""

from typing import Any

import dspy
from pydantic import Field

from inklings_dspy.programs.parallel import each
from inklings_dspy.programs.template import Parameters, Program, Template, keep_free


class ComparisonParameters(Parameters):
    """Parameters of multi_chain_comparison."""

    m: int = Field(3, ge=2, le=8, description="Number of chains.")
    temperature: float = Field(0.7, ge=0.0, le=2.0, description="Sampling temperature of the chains.")


class MultiChainComparison(Program):
    """Concurrent chains of thought, then dspy's MultiChainComparison."""

    def __init__(self, signature: type[dspy.Signature], parameters: ComparisonParameters) -> None:
        super().__init__()
        self.m = parameters.m
        self.temperature = parameters.temperature
        self.reason = dspy.ChainOfThought(signature)
        self.compare = dspy.MultiChainComparison(signature, M=parameters.m, temperature=parameters.temperature)

    def run(self, inputs: dict[str, Any]) -> dspy.Prediction:
        """Reason, then compare."""

        def chain(number: int) -> dspy.Prediction:
            return self.reason(**inputs, config={"temperature": self.temperature, "rollout_id": number})

        return self.compare(each(chain, range(self.m), self.m), **inputs)


def build(signature: type[dspy.Signature], parameters: ComparisonParameters) -> Program:
    """Make the program."""
    attempts = [f"reasoning_attempt_{number + 1}" for number in range(parameters.m)]
    keep_free(signature, "reasoning", "rationale", *attempts)
    return MultiChainComparison(signature, parameters)


TEMPLATE = Template(
    id="multi_chain_comparison",
    title="Multi-chain comparison",
    description="Has the model reason several times independently, then compare the chains and give the outputs; returns "
    "the comparison as rationale. For hard questions with one answer. m + 1 model calls.",
    parameters=ComparisonParameters,
    build=build,
    signature_rules="The chains are compared by the last output. Reserved: `reasoning`, `rationale`, "
    "`reasoning_attempt_1` and so on.",
)
