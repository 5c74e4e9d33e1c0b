"""Runs a program once."""

from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError

from inklings_dspy import jobs, values
from inklings_dspy.engine import language_model
from inklings_dspy.errors import JobFailed
from inklings_dspy.host import Host
from inklings_dspy.jobs import Task
from inklings_dspy.messages import Execution, Prediction, ProgramExample, Score


class ExecutionSession:
    """Scores and tools for a program that runs once."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def score(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> Score:
        """Score by the artifact's assertions; there is no example with known outputs."""
        example = ProgramExample(inputs=values.plain(inputs), outputs={})
        return self._host.score(example, values.plain(outputs))

    def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool of the app."""
        return self._host.call_tool(name, values.plain(arguments))

    def ran(self, program: dspy.Module, inputs: dict[str, Any], prediction: dspy.Prediction | None) -> None:
        """Do nothing: an execution collects no candidates."""


def execute(job: Execution, host: Host) -> Prediction:
    """Run it."""
    task = Task.of(job)
    program, diagnostics = task.build()
    inputs = values.inputs(task.signature(), job.params)
    try:
        with jobs.context(language_model(host.complete), job.adapter, ExecutionSession(host)):
            prediction = program(**inputs)
    except AdapterParseError as error:
        raise JobFailed(unreadable(error)) from error
    except dspy.DSPyError as error:
        raise JobFailed(str(error)) from error
    return Prediction(outputs=values.plain(prediction.toDict()), diagnostics=diagnostics)


def unreadable(error: Any) -> str:
    """A short message for an answer that can't be parsed."""
    wanted = ", ".join(error.signature.output_fields)
    answer = (error.lm_response or "").strip()
    start = f"{answer[:200]}…" if len(answer) > 200 else answer  # noqa: PLR2004
    return f"can't parse the outputs {wanted} from the model's answer, which starts with: {start!r}"
