"""Typed requests and notifications of one job to the app."""

from typing import Any

from pydantic import ValidationError

from inklings_dspy.errors import ModelFailed, ScoreFailed
from inklings_dspy.messages import Completion, Level, ProgramExample, Request, Score
from inklings_dspy.peer import Job, Peer


class Host:
    """All methods raise `Cancelled` once the job was cancelled."""

    def __init__(self, peer: Peer, job: Job) -> None:
        self._peer = peer
        self._job = job

    def complete(self, request: Request) -> Completion:
        """Ask the run's model."""
        wire = request.model_dump(by_alias=True, exclude_unset=True)
        try:
            return Completion.model_validate(self._peer.ask(self._job, "lm.complete", {"request": wire}))
        except ValidationError as error:
            raise ModelFailed(f"invalid completion from the app: {error}") from error

    def score(self, example: ProgramExample, prediction: dict[str, Any]) -> Score:
        """Score a prediction by the artifact's assertions."""
        params = {"example": example.model_dump(exclude_unset=True), "prediction": prediction}
        try:
            return Score.model_validate(self._peer.ask(self._job, "metric.score", params))
        except ValidationError as error:
            raise ScoreFailed(f"invalid score from the app: {error}") from error

    def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool. Raises `ToolFailed`."""
        return self._peer.ask(self._job, "tool.call", {"name": name, "args": arguments})

    def progress(self, fraction: float, text: str, score: float | None = None) -> None:
        """Report progress, from 0 to 1."""
        self._job.check()
        judged = {} if score is None else {"score": score}
        self._peer.notify("progress", {"job": self._job.id, "fraction": fraction, "text": text, **judged})

    def log(self, level: Level, text: str) -> None:
        """Write a log line."""
        self._job.check()
        self._peer.notify("log", {"level": level, "text": text, "job": self._job.id})
