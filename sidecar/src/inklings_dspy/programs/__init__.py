"""The templates that ship, by id."""

from inklings_dspy.programs import (
    best_of_n,
    chain_of_thought,
    extract_then_verify,
    map_reduce,
    multi_chain_comparison,
    predict,
    react,
    refine,
)
from inklings_dspy.programs.template import Parameters, Program, Template

__all__ = ["TEMPLATES", "Parameters", "Program", "Template"]

_MODULES = (
    predict,
    chain_of_thought,
    react,
    best_of_n,
    refine,
    multi_chain_comparison,
    extract_then_verify,
    map_reduce,
)
TEMPLATES: dict[str, Template] = {module.TEMPLATE.id: module.TEMPLATE for module in _MODULES}
