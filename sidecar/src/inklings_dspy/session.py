"""Scores and tools for the program of a job, stored in dspy's settings, which dspy copies to its threads."""

from typing import Any, Protocol, cast

import dspy

from inklings_dspy.messages import Score

KEY = "inklings_session"


class Session(Protocol):
    """The job as seen by its program."""

    def score(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> Score:
        """Score a prediction without an example."""
        ...

    def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool of the app. Raises `ToolFailed`."""
        ...

    def ran(self, program: dspy.Module, inputs: dict[str, Any], prediction: dspy.Prediction | None) -> None:
        """Called after the program ran; without a prediction if it failed."""
        ...


def current() -> Session:
    """The session of the current job."""
    return cast("Session", dspy.settings[KEY])
