"""The templates and optimizers of the process."""

from functools import cache
from typing import Any

import dspy
from pydantic import BaseModel

from inklings_dspy.messages import ProgramManifest, ProgramOptimizer, ProgramTemplate
from inklings_dspy.optimize import OPTIMIZERS
from inklings_dspy.programs import TEMPLATES


@cache
def manifest() -> ProgramManifest:
    """Describe templates and optimizers."""
    templates = [
        ProgramTemplate(
            id=template.id,
            title=template.title,
            description=template.description,
            signature_rules=template.signature_rules,
            parameters=schema(template.parameters),
            optimizers=list(template.optimizers),
        )
        for template in TEMPLATES.values()
    ]
    optimizers = [
        ProgramOptimizer(
            id=optimizer.id,
            title=optimizer.title,
            description=optimizer.description,
            options=schema(optimizer.options),
            least_examples=optimizer.least_examples,
            needs_outputs=optimizer.needs_outputs,
        )
        for optimizer in OPTIMIZERS.values()
    ]
    return ProgramManifest(dspy=dspy.__version__, templates=templates, optimizers=optimizers)


def schema(settings: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of settings, without the class's title and docstring."""
    made = settings.model_json_schema()
    return {key: value for key, value in made.items() if key not in ("title", "description")}
