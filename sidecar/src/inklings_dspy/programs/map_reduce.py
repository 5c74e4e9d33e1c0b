"""Processes a long list in concurrent chunks, then merges the partial results."""

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
    """Parameters of map_reduce."""

    over: str = Field("", description="Name of the input to map; the first list if empty.")
    chunk_size: int = Field(1, ge=1, le=1000, description="Number of items in a chunk.")
    parallel: int = Field(4, ge=1, le=16, description="Number of chunks processed at the same time.")
    fan_in: int = Field(16, ge=2, le=100, description="Maximum number of partial results to merge at once.")


class MapReduce(Program):
    """A step with the signature for each chunk, and a step that merges partial results."""

    def __init__(self, signature: type[dspy.Signature], over: str, parameters: MapReduceParameters) -> None:
        super().__init__()
        self.over = over
        self.settings = parameters
        self.outputs = list(signature.output_fields)
        self.map = dspy.Predict(signature)
        self.reduce = dspy.Predict(reduction(signature, over))

    def run(self, inputs: dict[str, Any]) -> dspy.Prediction:
        """Map, then reduce to one result."""
        rest = {name: value for name, value in inputs.items() if name != self.over}
        items = inputs[self.over]
        if not isinstance(items, list):
            raise JobFailed(f"{self.over!r} must be a list")
        settings = self.settings
        chunks = portions(items, settings.chunk_size) or [[]]

        def mapped(chunk: Sequence[Any]) -> dspy.Prediction:
            return self.map(**rest, **{self.over: chunk})

        results = each(mapped, chunks, settings.parallel)
        while len(results) > 1:
            results = each(lambda group: self.merged(rest, group), portions(results, settings.fan_in), settings.parallel)
        return dspy.Prediction(**{name: results[0][name] for name in self.outputs})

    def merged(self, rest: dict[str, Any], results: Sequence[dspy.Prediction]) -> dspy.Prediction:
        """Merge several results."""
        if len(results) == 1:
            return results[0]
        return self.reduce(**rest, **{PARTIAL + name: [result[name] for result in results] for name in self.outputs})


def portions[T](items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Chunks of at most `size` items, in order."""
    return [items[start : start + size] for start in range(0, len(items), size)]


def reduction(signature: type[dspy.Signature], over: str) -> type[dspy.Signature]:
    """The signature of the merging step: lists of partial results instead of the mapped input."""
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
        raise Invalid(f"the parameter 'over' must name an input of a list type, not {parameters.over!r}")
    if not lists:
        raise Invalid("the signature must have an input of a list type, e.g. `pages: list[str]`")
    keep_free(signature, *(PARTIAL + name for name in signature.output_fields))
    return MapReduce(signature, parameters.over or lists[0], parameters)


TEMPLATE = Template(
    id="map_reduce",
    title="Map and reduce",
    description="Processes a long list in chunks, several at the same time, then merges the partial results. "
    "For more pages, claims or records than fit into one prompt. One model call per chunk and per merge.",
    parameters=MapReduceParameters,
    build=build,
    signature_rules="At least one input must be a list, e.g. `pages: list[str], question -> findings: list[str]`; the first one "
    "is mapped, or the one named by the parameter `over`. Reserved: the name of an output after `partial_`.",
    optimizers=PIPELINE_OPTIMIZERS,
)
