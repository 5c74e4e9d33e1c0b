"""Common parts of both kinds of jobs: the program and dspy's settings."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import dspy
from pydantic import ValidationError

from inklings_dspy import session, signature, state
from inklings_dspy.errors import Invalid
from inklings_dspy.messages import Execution, Optimization
from inklings_dspy.programs import TEMPLATES, Parameters, Program, Template
from inklings_dspy.session import Session

ADAPTERS = {"chat": dspy.ChatAdapter, "json": dspy.JSONAdapter}


@dataclass(frozen=True)
class Task:
    """The program to run or optimize. It is built anew for each use, since optimizers change classes in place."""

    template: Template
    parameters: Parameters
    signature_text: str
    instructions: str
    state_blob: Any

    @classmethod
    def of(cls, job: Execution | Optimization) -> "Task":
        """Parse a job. Raises `Invalid`."""
        template = TEMPLATES.get(job.template_id)
        if template is None:
            raise Invalid(f"unknown module type {job.template_id!r}; expected one of {', '.join(TEMPLATES)}")
        parameters = settings(template.parameters, job.parameters, "parameter")
        return cls(template, parameters, job.signature, job.instructions, job.state_blob)

    def signature(self) -> type[dspy.Signature]:
        """The signature, as a new class."""
        return signature.parse(self.signature_text, self.instructions)

    def build(self, blob: Any = None) -> tuple[Program, list[str]]:
        """Build the program in a state, by default the job's. Returns it with diagnostics of ignored parts of the state."""
        program = self.template.build(self.signature(), self.parameters)
        blob = self.state_blob if blob is None else blob
        return program, [] if blob is None else state.load(program, self.template.id, blob)


def settings[P: Parameters](kind: type[P], given: dict[str, Any], what: str) -> P:
    """Validate parameters or options. Raises `Invalid`."""
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise Invalid(f"invalid {what} {name!r}: {first['msg']}") from None


def context(model: dspy.LM, adapter: str, job: Session, **more: Any) -> AbstractContextManager[None]:
    """Settings of dspy for one job, with a trace of its own: the default is one list for the whole process."""
    return dspy.context(
        lm=model,
        adapter=ADAPTERS[adapter](),
        trace=[],
        callbacks=[],
        disable_history=True,
        warn_on_type_mismatch=False,
        **{session.KEY: job},
        **more,
    )
