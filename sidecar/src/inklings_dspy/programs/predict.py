"""One model call."""

from typing import Any

import dspy

from inklings_dspy.programs.template import Parameters, Program, Template


class Predict(Program):
    """One predictor over the signature."""

    def __init__(self, signature: type[dspy.Signature]) -> None:
        super().__init__()
        self.predict = dspy.Predict(signature)

    def run(self, inputs: dict[str, Any]) -> dspy.Prediction:
        """Ask once."""
        return self.predict(**inputs)


def build(signature: type[dspy.Signature], _parameters: Parameters) -> Program:
    """Make the program."""
    return Predict(signature)


TEMPLATE = Template(
    id="predict",
    title="Predict",
    description="One model call for the outputs. The cheapest module type, for simple tasks.",
    parameters=Parameters,
    build=build,
)
