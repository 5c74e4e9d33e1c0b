"""What a job's program reaches outside of itself. It travels in dspy's settings, which dspy carries into its own threads."""

from typing import Any, Protocol, cast

import dspy

from inklings_dspy.messages import Score

KEY = "inklings_session"


class Session(Protocol):
    """The job, as a program sees it."""

    def score(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> Score:
        """Judge a prediction that no example is known for."""
        ...

    def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool of the app. Raises `ToolFailed`."""
        ...

    def ran(self, program: dspy.Module, inputs: dict[str, Any], prediction: dspy.Prediction | None) -> None:
        """Hear that the program ran; without a prediction it failed."""
        ...


def current() -> Session:
    """The session of the job that is running here."""
    return cast("Session", dspy.settings[KEY])
