"""How a job can end early.

What stops a job as a whole derives from `BaseException`: dspy and its optimisers catch `Exception` and go on with the next
attempt, which must not happen when someone stopped the job or the model is gone.
"""

from inklings_dspy.messages import ErrorKind


class JobFailed(Exception):  # noqa: N818
    """The job's answer is an error."""

    kind: ErrorKind = "failed"


class Invalid(JobFailed):
    """What the job asks for makes no sense."""

    kind: ErrorKind = "invalid"


class ToolFailed(Exception):  # noqa: N818
    """A tool failed; the program reads why and goes on."""


class Stopped(BaseException):
    """Ends a job from wherever it is."""

    kind: ErrorKind = "internal"


class Cancelled(Stopped):
    """Someone stopped the job."""

    kind: ErrorKind = "cancelled"


class ModelFailed(Stopped):
    """The model failed; the app knows why."""

    kind: ErrorKind = "model"


class ScoreFailed(Stopped):
    """The app can't judge a prediction."""

    kind: ErrorKind = "failed"


class OverBudget(Stopped):
    """The run may not use more. An execution then failed at its model."""

    kind: ErrorKind = "model"


def reason(error: BaseException) -> str:
    """What an error says; of one without words, such as a failed assertion, what the error it arose from says."""
    cause: BaseException | None = error
    while cause is not None:
        text = str(cause).strip()
        if text:
            return text
        cause = cause.__cause__ or cause.__context__
    return type(error).__name__
