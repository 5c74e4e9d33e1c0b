"""What both kinds of jobs begin with: a program, and the settings that dspy runs it under."""

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
    """What is run or improved. Programs are built from it as often as one is needed: optimisers change classes in place."""

    template: Template
    parameters: Parameters
    signature_text: str
    instructions: str
    state_blob: Any

    @classmethod
    def of(cls, job: Execution | Optimization) -> "Task":
        """Read what a job asks for. Raises `Invalid`."""
        template = TEMPLATES.get(job.template_id)
        if template is None:
            raise Invalid(f"unknown template {job.template_id!r}: there are {', '.join(TEMPLATES)}")
        parameters = settings(template.parameters, job.parameters, "parameter")
        return cls(template, parameters, job.signature, job.instructions, job.state_blob)

    def signature(self) -> type[dspy.Signature]:
        """The signature, as a new class."""
        return signature.parse(self.signature_text, self.instructions)

    def build(self, blob: Any = None) -> tuple[Program, list[str]]:
        """Make a program in a state, with what was left out of it; in the job's own state unless another is given."""
        program = self.template.build(self.signature(), self.parameters)
        blob = self.state_blob if blob is None else blob
        return program, [] if blob is None else state.load(program, self.template.id, blob)


def settings[P: Parameters](kind: type[P], given: dict[str, Any], what: str) -> P:
    """Read parameters or options. Raises `Invalid`."""
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise Invalid(f"the {what} {name!r} doesn't fit: {first['msg']}") from None


def context(model: dspy.LM, adapter: str, job: Session, **more: Any) -> AbstractContextManager[None]:
    """Settings of dspy for one job. The trace is the job's own: dspy's default is one list for the whole process."""
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
