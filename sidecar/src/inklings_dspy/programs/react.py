"""A loop of tool calls until the model can answer."""

from collections.abc import Callable
from typing import Any, Literal

import dspy
from pydantic import Field

from inklings_dspy import session
from inklings_dspy.programs.template import PIPELINE_OPTIMIZERS, Parameters, Program, Template, keep_free

type ToolName = Literal["workspace_search", "get_page", "run_skill"]


class ReActParameters(Parameters):
    """Parameters of react."""

    max_iters: int = Field(8, ge=1, le=30, description="Maximum number of tool calls before the outputs are written.")
    tools: list[ToolName] = Field(
        default=["workspace_search", "get_page", "run_skill"],
        min_length=1,
        max_length=3,
        description="Tools that the model may call.",
    )


def workspace_search(query: str, limit: int = 10) -> Any:
    """Find pages of the workspace by their words, best first: slug, title, type, tags, snippet of each."""
    return session.current().call_tool("workspace_search", {"query": query, "limit": limit})


def get_page(slug: str) -> Any:
    """Read a page of the workspace by its slug, as the search gives it."""
    return session.current().call_tool("get_page", {"slug": slug})


def run_skill(name: str, params: dict[str, Any]) -> Any:
    """Run another skill with values for its inputs, and read its result."""
    return session.current().call_tool("run_skill", {"name": name, "params": params})


TOOLS: dict[str, Callable[..., Any]] = {tool.__name__: tool for tool in (workspace_search, get_page, run_skill)}


class ReAct(Program):
    """dspy's ReAct with the app's tools."""

    def __init__(self, signature: type[dspy.Signature], parameters: ReActParameters) -> None:
        super().__init__()
        tools = [TOOLS[name] for name in dict.fromkeys(parameters.tools)]
        self.agent = dspy.ReAct(signature, tools=tools, max_iters=parameters.max_iters)

    def run(self, inputs: dict[str, Any]) -> dspy.Prediction:
        """Loop, then write the outputs."""
        return self.agent(**inputs)


def build(signature: type[dspy.Signature], parameters: ReActParameters) -> Program:
    """Make the program."""
    keep_free(signature, "reasoning", "trajectory", "next_thought", "next_tool_name", "next_tool_args", "max_iters")
    return ReAct(signature, parameters)


TEMPLATE = Template(
    id="react",
    title="ReAct",
    description="Lets the model search the workspace, read pages and run skills until it knows enough for the outputs. "
    "For answers that are in the workspace and not in the inputs. One model call per step and one at the end.",
    parameters=ReActParameters,
    build=build,
    signature_rules="Reserved: `reasoning`, `trajectory`, `max_iters`, `next_thought`, `next_tool_name` and `next_tool_args`.",
    optimizers=PIPELINE_OPTIMIZERS,
)
