"""A long list is worked on in chunks at the same time, then the partial results are merged."""

from collections.abc import Sequence
from typing import Any, get_origin

import dspy
from pydantic import Field

from inklings_dspy.errors import Invalid, JobFailed
from inklings_dspy.programs.parallel import each
from inklings_dspy.programs.template import PIPELINE_OPTIMIZERS, Parameters, Program, Template, keep_free

PARTIAL = "partial_"
REDUCE = (
    "The input `{over}` was too long for one step and was worked on in chunks. Merge the results of the chunks, which are "
    "in the chunks' order, into one result for the whole: keep everything that matters, merge what says the same, and "
    "resolve what contradicts itself.\n\nThe task for each chunk was: {task}"
)


class MapReduceParameters(Parameters):
    """Which input is mapped, and in which portions."""

    over: str = Field("", description="Name of the input that is mapped; the first list when empty.")
    chunk_size: int = Field(1, ge=1, le=1000, description="Number of items in a chunk.")
    parallel: int = Field(4, ge=1, le=16, description="Number of chunks worked on at the same time.")
    fan_in: int = Field(16, ge=2, le=100, description="Maximum number of partial results merged at once.")


class MapReduce(Program):
    """A step for each chunk with the signature itself, and a step that merges partial results of every output."""

    def __init__(self, signature: type[dspy.Signature], over: str, parameters: MapReduceParameters) -> None:
        super().__init__()
        self.over = over
        self.settings = parameters
        self.outputs = list(signature.output_fields)
        self.map = dspy.Predict(signature)
        self.reduce = dspy.Predict(reduction(signature, over))

    def run(self, inputs: dict[str, Any]) -> dspy.Prediction:
        """Map, then reduce until one result is left."""
        rest = {name: value for name, value in inputs.items() if name != self.over}
        items = inputs[self.over]
        if not isinstance(items, list):
            raise JobFailed(f"{self.over!r} must be a list to be mapped")
        settings = self.settings
        chunks = portions(items, settings.chunk_size) or [[]]

        def mapped(chunk: Sequence[Any]) -> dspy.Prediction:
            return self.map(**rest, **{self.over: chunk})

        results = each(mapped, chunks, settings.parallel)
        while len(results) > 1:
            results = each(lambda group: self.merged(rest, group), portions(results, settings.fan_in), settings.parallel)
        return dspy.Prediction(**{name: results[0][name] for name in self.outputs})

    def merged(self, rest: dict[str, Any], results: Sequence[dspy.Prediction]) -> dspy.Prediction:
        """One result of several."""
        if len(results) == 1:
            return results[0]
        return self.reduce(**rest, **{PARTIAL + name: [result[name] for result in results] for name in self.outputs})


def portions[T](items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Parts of at most `size` items each, in order."""
    return [items[start : start + size] for start in range(0, len(items), size)]


def reduction(signature: type[dspy.Signature], over: str) -> type[dspy.Signature]:
    """The signature of the merging step: a list of partial results for each output, instead of what was mapped."""
    inputs = {name: field for name, field in signature.input_fields.items() if name != over}
    fields: dict[str, Any] = {name: (field.annotation, field) for name, field in inputs.items()}
    for name, field in signature.output_fields.items():
        fields[PARTIAL + name] = (list[field.annotation], dspy.InputField(desc=f"`{name}` of each chunk"))
    fields |= {name: (field.annotation, field) for name, field in signature.output_fields.items()}
    return dspy.make_signature(fields, REDUCE.format(over=over, task=signature.instructions))


def build(signature: type[dspy.Signature], parameters: MapReduceParameters) -> Program:
    """Make the program."""
    lists = [name for name, field in signature.input_fields.items() if list in (field.annotation, get_origin(field.annotation))]
    if parameters.over and parameters.over not in lists:
        raise Invalid(f"the parameter over names {parameters.over!r}, which is no input of a list type")
    if not lists:
        raise Invalid("the signature needs an input of a list type, e.g. `pages: list[str]`")
    keep_free(signature, *(PARTIAL + name for name in signature.output_fields))
    return MapReduce(signature, parameters.over or lists[0], parameters)


TEMPLATE = Template(
    id="map_reduce",
    title="Map and reduce",
    description="Works on a long list chunk by chunk, several at the same time, then merges the partial results. "
    "For more pages, claims or records than fit one question. Asks once for each chunk and once for each merge.",
    parameters=MapReduceParameters,
    build=build,
    signature_rules="At least one input is a list, e.g. `pages: list[str], question -> findings: list[str]`; the first one "
    "is mapped, or the one that the parameter `over` names. Reserved: an output's name after `partial_`.",
    optimizers=PIPELINE_OPTIMIZERS,
)
