"""The types of the protocol. Generated from `protocol.schema.json` by `tools/messages.py`; do not edit."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Model(BaseModel):
    """A message or a part of one. Values aren't converted between types, and unknown fields of newer peers are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, populate_by_name=True)


class Hello(Model):
    """The first message of the process."""

    protocol: Annotated[int, Field(ge=0)]
    """[`PROTOCOL`] of the build."""
    dspy: str
    pid: Annotated[int, Field(ge=0)]


class JobRef(Model):
    """A reference to a job."""

    job: Annotated[int, Field(ge=0)]


type Level = Literal["debug", "info", "warning", "error"]


class Log(Model):
    level: Level
    text: str
    job: Annotated[int, Field(ge=0)] | None = None
    """The job that wrote it."""


class Progress(Model):
    """Progress of an optimization."""

    job: Annotated[int, Field(ge=0)]
    fraction: float
    """From 0 to 1, never decreasing."""
    text: str
    score: float | None = None
    """The score of the last evaluated candidate over the trainset."""


type Role = Literal["user", "assistant"]


class ToolCall(Model):
    """A model's request to call a tool."""

    id: str
    name: str
    arguments: dict[str, Any]
    """A JSON object. Empty if the model wrote something else."""
    invalid_arguments: str | None = None
    """What the model wrote instead of a JSON object."""


class PartText(Model):
    type: Literal["text"]
    text: str


class PartToolCall(ToolCall):
    """Only in messages of the assistant."""

    type: Literal["tool_call"]


class PartToolResult(Model):
    """Only in messages of the user."""

    type: Literal["tool_result"]
    id: str
    """ID of the tool call."""
    text: str


type Part = Annotated[PartText | PartToolCall | PartToolResult, Field(discriminator="type")]
"""A piece of a message."""


class Message(Model):
    role: Role
    parts: list[Part]


class Tool(Model):
    """A tool that the model may call."""

    name: str
    description: str
    parameters: Any
    """JSON Schema of the arguments, which are an object."""


class Request(Model):
    system: str = ""
    """Instructions. May be empty."""
    messages: list[Message] = Field(default_factory=list[Message])
    """The last message is the user's."""
    tools: list[Tool] = Field(default_factory=list[Tool])
    schema_: Any = Field(None, alias="schema")
    """JSON Schema of the answer, if the provider can enforce it."""
    max_tokens: Annotated[int, Field(ge=0)] | None = None
    """Maximum number of output tokens; the provider's limit if `None`."""
    temperature: float | None = None
    """Sampling temperature; the provider's default if `None`."""


class Complete(Model):
    """A request to the run's model."""

    job: Annotated[int, Field(ge=0)]
    request: Request


type Finish = Literal["tool_calls", "stop", "length", "refused", "unknown"]
"""Why a model stopped."""


class TokenUsage(Model):
    """Tokens as counted by the provider; `None` if it didn't report them."""

    input_tokens: Annotated[int, Field(ge=0)] | None = None
    """Including cached tokens."""
    output_tokens: Annotated[int, Field(ge=0)] | None = None
    cached_tokens: Annotated[int, Field(ge=0)] | None = None
    """Input tokens from the provider's cache."""


class Completion(Model):
    text: str
    """Empty if the answer has tool calls only."""
    tool_calls: list[ToolCall]
    finish: Finish
    usage: TokenUsage
    model: str
    """As reported by the provider, or as requested."""


class ProgramExample(Model):
    """An example of the trainset or valset."""

    inputs: dict[str, Any]
    outputs: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Known good outputs. May be empty for a metric that doesn't need them."""


class ScoreRequest(Model):
    """A prediction to score."""

    job: Annotated[int, Field(ge=0)]
    example: ProgramExample
    prediction: dict[str, Any]
    """Outputs of the program for the example."""


class Score(Model):
    """The score of a prediction."""

    score: float
    """From 0 to 1."""
    feedback: str
    """Feedback for the model."""


class ToolRequest(Model):
    """A tool call."""

    job: Annotated[int, Field(ge=0)]
    name: str
    """`workspace_search`, `get_page` or `run_skill`."""
    args: dict[str, Any]


type Adapter = Literal["chat", "json"]
"""How a program writes its prompts and reads the answers."""


class Execution(Model):
    """The content of a `dspy_module` artifact."""

    template_id: str
    """ID of a shipped template, e.g. `chain_of_thought`."""
    signature: str
    """Inputs and outputs with types, e.g. `claims: list[str] -> contradictions: list[str]`."""
    instructions: str = ""
    """Instructions; if `None`, DSPy derives them from the fields."""
    parameters: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Template parameters, as described in its manifest."""
    adapter: Adapter = "chat"
    state_blob: Any = None
    """Compiled state of an optimization: instructions and demos. Untrusted: read by a whitelist."""
    params: dict[str, Any]
    """Values of the signature's inputs."""


class Prediction(Model):
    outputs: dict[str, Any]
    """Values of the signature's outputs, and those that the template adds, e.g. `reasoning`."""
    diagnostics: list[str] = Field(default_factory=list[str])
    """Parts of the state that were ignored and why, one sentence each."""


class MetricAssertions(Model):
    """The artifact's assertions, scored by [`ProgramHost::score`]."""

    type: Literal["assertions"]


class MetricExact(Model):
    """The output equals the example's."""

    type: Literal["exact"]
    field: str
    """Name of an output."""


class MetricContains(Model):
    """The output contains the text of the example, or all items of its list."""

    type: Literal["contains"]
    field: str
    """Name of an output."""


type Metric = Annotated[MetricAssertions | MetricExact | MetricContains, Field(discriminator="type")]
"""How a prediction is scored."""


class Optimization(Model):
    """A request to optimize a program."""

    template_id: str
    """ID of a shipped template, e.g. `chain_of_thought`."""
    signature: str
    """Inputs and outputs with types, e.g. `claims: list[str] -> contradictions: list[str]`."""
    instructions: str = ""
    """Instructions; if `None`, DSPy derives them from the fields."""
    parameters: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Template parameters, as described in its manifest."""
    adapter: Adapter = "chat"
    state_blob: Any = None
    """The initial state."""
    trainset: list[ProgramExample]
    valset: list[ProgramExample] = Field(default_factory=list[ProgramExample])
    metric: Metric
    optimizer: str
    """ID of a shipped optimizer, e.g. `bootstrap_few_shot`."""
    options: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Optimizer parameters, as described in its manifest."""
    seed: Annotated[int, Field(ge=0)]
    """Random seed."""
    budget: Annotated[int, Field(ge=0)] | None = None
    """Maximum number of model calls; the run's budget also limits tokens and cost."""


class Scores(Model):
    """Scores from 0 to 1, before and after."""

    before: float
    """Of the original program."""
    after: float
    """Of the candidate."""


type StoppedBy = Literal["budget", "model"]
"""Why an optimization ended early."""


class PredictorState(Model):
    """A predictor of a program, for display."""

    name: str
    """Name within the program, e.g. `predict`."""
    instructions: str
    demos: list[dict[str, Any]]
    """Values by field."""


class OptimizationResult(Model):
    """The candidate becomes a proposal; nothing is changed yet."""

    state_blob: Any
    """The candidate's state."""
    train: Scores
    """Average scores over the trainset."""
    validation: Scores | None = None
    """Average scores over the valset. Null if it is empty, or if the optimization ended before scoring it."""
    stopped: StoppedBy | None = None
    """Set if it ended early. The candidate is the best one so far."""
    predictors_before: list[PredictorState]
    """State of the predictors before the optimization, for display."""
    predictors: list[PredictorState]
    """State of the predictors of the candidate."""


class ProgramTemplate(Model):
    """A shipped template."""

    id: str
    title: str
    """Display name."""
    description: str
    """What it does and when to use it: at most two sentences."""
    signature_rules: str
    """Requirement on the signature, one sentence; empty if any works."""
    parameters: Any
    """JSON Schema of `parameters`, an object."""
    optimizers: list[str]
    """IDs of the optimizers that support it."""


class ProgramOptimizer(Model):
    """A shipped optimizer."""

    id: str
    title: str
    """Display name."""
    description: str
    """What it changes and costs: at most two sentences."""
    options: Any
    """JSON Schema of `options`, an object."""
    least_examples: Annotated[int, Field(ge=0)]
    """Minimum number of training examples."""
    needs_outputs: bool
    """Whether examples must have known outputs."""


class ProgramManifest(Model):
    dspy: str
    """DSPy's version, which states record."""
    templates: list[ProgramTemplate]
    optimizers: list[ProgramOptimizer]


type ErrorKind = Literal["failed", "invalid", "model", "cancelled", "over_budget", "tool", "protocol", "internal"]
"""`data.kind` of a JSON-RPC error."""


class ErrorData(Model):
    kind: ErrorKind


class RpcError(Model):
    code: int
    """-32000, or a code that JSON-RPC defines for protocol errors."""
    message: str
    """For people."""
    data: ErrorData
