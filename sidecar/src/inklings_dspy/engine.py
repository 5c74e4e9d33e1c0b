"""dspy's language model, answered by the app: requests go out as `lm.complete`, completions come back as lm15 responses.

The only module that uses lm15. Models have no name, key or address here; the app decides which one answers.
"""

from collections.abc import Callable
from typing import Any, Final, Literal

import dspy
from dspy import lm15

from inklings_dspy.messages import (
    Completion,
    Finish,
    Message,
    Part,
    PartText,
    PartToolCall,
    PartToolResult,
    Request,
    Tool,
)

MODEL_NAME = "inklings/run"

type Complete = Callable[[Request], Completion]

FINISH_REASONS: Final[dict[Finish, Literal["stop", "length", "tool_call", "content_filter"]]] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_call",
    "refused": "content_filter",
    "unknown": "stop",
}


class Engine:
    """The engine of one job. dspy reads its capabilities to build requests."""

    supports_function_calling = False
    supports_reasoning = False
    supports_response_schema = True
    supported_params = frozenset({"response_format", "temperature", "max_tokens"})

    def __init__(self, complete: Complete) -> None:
        self._complete = complete

    def __deepcopy__(self, memo: dict[int, Any]) -> "Engine":
        """Copies of a program share the job's engine."""
        return self

    def complete(self, request: lm15.Request) -> lm15.Response:
        """Ask the app."""
        return to_response(self._complete(to_request(request)))


def language_model(complete: Complete) -> dspy.LM:
    """Make the model of a job. The app does retries."""
    return dspy.LM(MODEL_NAME, engine=Engine(complete), cache=False, num_retries=0)


def to_request(request: lm15.Request) -> Request:
    """Convert dspy's request for the app."""
    config = request.config
    system = request.system
    if not isinstance(system, str):
        system = "\n\n".join(_text(part) for part in system or ())
    fields: dict[str, Any] = {"system": system, "messages": [_message(message) for message in request.messages]}
    if request.tools:
        fields["tools"] = [
            Tool(name=tool.name, description=tool.description or "", parameters=dict(tool.parameters))
            for tool in request.tools
            if isinstance(tool, lm15.FunctionTool)
        ]
    schema = (config.response_format or {}).get("schema")
    optional: dict[str, Any] = {"schema": schema, "max_tokens": config.max_tokens, "temperature": config.temperature}
    return Request(**fields, **{name: value for name, value in optional.items() if value is not None})


def _message(message: lm15.Message) -> Message:
    # Tool and developer messages are sent as the user.
    role = "assistant" if message.role == "assistant" else "user"
    return Message(role=role, parts=[_part(part) for part in message.parts])


def _part(part: object) -> Part:
    if isinstance(part, lm15.ToolCallPart):
        return PartToolCall(type="tool_call", id=part.id, name=part.name, arguments=dict(part.input))
    if isinstance(part, lm15.ToolResultPart):
        return PartToolResult(type="tool_result", id=part.id, text="\n".join(_text(inner) for inner in part.content))
    return PartText(type="text", text=_text(part))


def _text(part: object) -> str:
    """The text of a part. No field has an image or audio type, so other parts come from forged values."""
    if isinstance(part, lm15.TextPart):
        return part.text
    raise lm15.UnsupportedFeatureError(f"programs can send only text, not {type(part).__name__}")


def to_response(completion: Completion) -> lm15.Response:
    """Convert the app's answer for dspy."""
    parts: list[lm15.TextPart | lm15.ToolCallPart] = (
        [lm15.TextPart(completion.text)] if completion.text or not completion.tool_calls else []
    )
    parts += [lm15.ToolCallPart(call.id, call.name, call.arguments) for call in completion.tool_calls]
    usage = completion.usage
    return lm15.Response(
        id=None,
        model=completion.model or MODEL_NAME,
        message=lm15.Message(role="assistant", parts=tuple(parts)),
        finish_reason=FINISH_REASONS[completion.finish],
        usage=lm15.Usage(usage.input_tokens, usage.output_tokens, cache_read_tokens=usage.cached_tokens),
    )
