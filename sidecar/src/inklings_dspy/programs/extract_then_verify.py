"""Extracts outputs, then checks each against the inputs and corrects or drops it."""

from typing import Any

import dspy
from pydantic import Field

from inklings_dspy.programs.template import PIPELINE_OPTIMIZERS, Parameters, Program, Template, keep_free

EXTRACTED = "extracted_"
VERIFY = (
    "An earlier step produced the extracted values from the inputs. Check each of them against the inputs, part by part. "
    "Keep what the inputs support, correct what they contradict, and drop what they say nothing about. "
    "List in `problems` what you corrected or dropped and why; leave it empty when everything holds.\n\n"
    "The earlier step's task was: {task}"
)


class VerifyParameters(Parameters):
    """Parameters of extract_then_verify."""

    rounds: int = Field(1, ge=1, le=5, description="Maximum number of checks; stops at the first one without problems.")
    reasoning: bool = Field(default=False, description="Whether the extraction reasons first.")


class ExtractThenVerify(Program):
    """A step that extracts, and one that returns corrected outputs from the inputs and the extracted values."""

    def __init__(self, signature: type[dspy.Signature], parameters: VerifyParameters) -> None:
        super().__init__()
        self.rounds = parameters.rounds
        self.outputs = list(signature.output_fields)
        self.extract = dspy.ChainOfThought(signature) if parameters.reasoning else dspy.Predict(signature)
        self.verify = dspy.Predict(verification(signature))

    def run(self, inputs: dict[str, Any]) -> dspy.Prediction:
        """Extract, then check until there are no problems."""
        found = self.extract(**inputs).toDict()
        problems: list[str] = []
        for _ in range(self.rounds):
            given = {EXTRACTED + name: found[name] for name in self.outputs}
            checked = self.verify(**inputs, **given).toDict()
            found = {**found, **{name: checked[name] for name in self.outputs}}
            if not checked["problems"]:
                break
            problems += checked["problems"]
        return dspy.Prediction(**found, problems=problems)


def verification(signature: type[dspy.Signature]) -> type[dspy.Signature]:
    """The signature of the check."""
    fields: dict[str, Any] = {name: (field.annotation, field) for name, field in signature.input_fields.items()}
    for name, field in signature.output_fields.items():
        fields[EXTRACTED + name] = (field.annotation, dspy.InputField(desc=f"the value of `{name}` to check"))
    for name, field in signature.output_fields.items():
        fields[name] = (field.annotation, dspy.OutputField(desc=f"`{name}` with only what the inputs support"))
    fields["problems"] = (list[str], dspy.OutputField(desc="what was corrected or dropped, and why"))
    return dspy.make_signature(fields, VERIFY.format(task=signature.instructions))


def build(signature: type[dspy.Signature], parameters: VerifyParameters) -> Program:
    """Make the program."""
    keep_free(signature, "problems", "reasoning", *(EXTRACTED + name for name in signature.output_fields))
    return ExtractThenVerify(signature, parameters)


TEMPLATE = Template(
    id="extract_then_verify",
    title="Extract, then verify",
    description="Extracts the outputs, then has the model check every value against the inputs, correct what they "
    "contradict and drop what they don't say; problems lists the changes. Two model calls, or more with more rounds.",
    parameters=VerifyParameters,
    build=build,
    signature_rules="Reserved: `problems`, `reasoning`, and the name of an output after `extracted_`.",
    optimizers=("labeled_few_shot", *PIPELINE_OPTIMIZERS),
)
