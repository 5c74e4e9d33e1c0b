"""What a template is. To add one: a module with a `TEMPLATE` beside this one, and its name in `__init__`."""

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
    """The settings of a template, with bounds and defaults; their JSON Schema is what the manifest shows."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Program(dspy.Module):
    """A program of a template. Its predictors are what optimisers change; everything else is fixed."""

    def forward(self, **inputs: Any) -> dspy.Prediction:
        """Run, and say so to the job."""
        try:
            prediction = self.run(inputs)
        except Exception:
            session.current().ran(self, inputs, None)
            raise
        session.current().ran(self, inputs, prediction)
        return prediction

    def run(self, inputs: dict[str, Any]) -> dspy.Prediction:
        """Do what the template does."""
        raise NotImplementedError


@dataclass(frozen=True)
class Template:
    """A template that ships."""

    id: str
    title: str
    description: str
    parameters: type[Parameters]
    build: Callable[[type[dspy.Signature], Any], Program]
    """Makes a program of a signature and parameters. Raises `Invalid`."""
    signature_rules: str = ""
    optimizers: tuple[str, ...] = ALL_OPTIMIZERS


def keep_free(signature: type[dspy.Signature], *names: str) -> None:
    """Refuse a signature that has a field which the template adds itself."""
    for name in names:
        if name in signature.fields:
            raise Invalid(f"the template has a field {name!r} of its own: call the signature's field something else")
