"""The definition of a template. To add one: a module with a `TEMPLATE` beside this one, and its name in `__init__`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import dspy
from pydantic import BaseModel, ConfigDict

from inklings_dspy import session
from inklings_dspy.errors import Invalid

ALL_OPTIMIZERS = (
    "labeled_few_shot",
    "bootstrap_few_shot",
    "bootstrap_few_shot_random_search",
    "copro",
    "gepa",
    "infer_rules",
)
# For pipelines whose steps have other fields than the signature, so that examples say nothing about a single step.
PIPELINE_OPTIMIZERS = ("bootstrap_few_shot", "bootstrap_few_shot_random_search", "copro", "gepa")


class Parameters(BaseModel):
    """Parameters of a template with bounds and defaults. The manifest has their JSON Schema."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Program(dspy.Module):
    """A program of a template. Optimizers change only its predictors."""

    def forward(self, **inputs: Any) -> dspy.Prediction:
        """Run, and report it to the session."""
        try:
            prediction = self.run(inputs)
        except Exception:
            session.current().ran(self, inputs, None)
            raise
        session.current().ran(self, inputs, prediction)
        return prediction

    def run(self, inputs: dict[str, Any]) -> dspy.Prediction:
        """Run the template."""
        raise NotImplementedError


@dataclass(frozen=True)
class Template:
    """A template (module type)."""

    id: str
    title: str
    description: str
    parameters: type[Parameters]
    build: Callable[[type[dspy.Signature], Any], Program]
    """Builds a program from a signature and parameters. Raises `Invalid`."""
    signature_rules: str = ""
    optimizers: tuple[str, ...] = ALL_OPTIMIZERS


def keep_free(signature: type[dspy.Signature], *names: str) -> None:
    """Refuse a signature with a field that the template adds."""
    for name in names:
        if name in signature.fields:
            raise Invalid(f"field name {name!r} is reserved by the module type; rename the field")
