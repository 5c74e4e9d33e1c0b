"""Errors that end a job.

Errors that end a job derive from `BaseException`: dspy and its optimizers catch `Exception` and continue with the next
attempt, which must not happen when the job was cancelled or the model is unavailable.
"""

from inklings_dspy.messages import ErrorKind


class JobFailed(Exception):  # noqa: N818
    """The job's answer is an error."""

    kind: ErrorKind = "failed"


class Invalid(JobFailed):
    """The request is invalid."""

    kind: ErrorKind = "invalid"


class ToolFailed(Exception):  # noqa: N818
    """A tool failed; the program reads the message and continues."""


class Stopped(BaseException):
    """Ends a job."""

    kind: ErrorKind = "internal"


class Cancelled(Stopped):
    """The job was cancelled."""

    kind: ErrorKind = "cancelled"


class ModelFailed(Stopped):
    """The model failed; the app has the error."""

    kind: ErrorKind = "model"


class ScoreFailed(Stopped):
    """The app couldn't score a prediction."""

    kind: ErrorKind = "failed"


class OverBudget(Stopped):
    """The run reached its limits. In an execution, this is a model error."""

    kind: ErrorKind = "model"


def reason(error: BaseException) -> str:
    """The message of an error, or of its cause if it has none, such as a failed assertion."""
    cause: BaseException | None = error
    while cause is not None:
        text = str(cause).strip()
        if text:
            return text
        cause = cause.__cause__ or cause.__context__
    return type(error).__name__
