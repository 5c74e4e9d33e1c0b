"""The types of the protocol. Generated from `protocol.schema.json` by `tools/messages.py`: change the schema's source."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Model(BaseModel):
    """What travels. Values are not converted, so that a text is no number; what a newer peer adds is ignored."""

    model_config = ConfigDict(strict=True, frozen=True, populate_by_name=True)


class Hello(Model):
    """The process's first message."""

    protocol: Annotated[int, Field(ge=0)]
    """[`PROTOCOL`] of its build."""
    dspy: str
    """DSPy's version."""
    pid: Annotated[int, Field(ge=0)]
    """Its process id."""


class JobRef(Model):
    """Names a job."""

    job: Annotated[int, Field(ge=0)]
    """Id of its request."""


type Level = Literal["debug", "info", "warning", "error"]
"""How bad something is that the log says."""


class Log(Model):
    """A line of the log."""

    level: Level
    """How bad it is."""
    text: str
    """The line."""
    job: Annotated[int, Field(ge=0)] | None = None
    """The job that it is about."""


class Progress(Model):
    """How far a job is."""

    job: Annotated[int, Field(ge=0)]
    """The job."""
    fraction: float
    """From 0 to 1, never less than before."""
    text: str
    """What it is about."""
    score: float | None = None
    """The score of a candidate that was just judged over the training examples."""


type Role = Literal["user", "assistant"]
"""Who says a message."""


class ToolCall(Model):
    """A model's request to call a tool."""

    id: str
    """Id of the call."""
    name: str
    """Name of the tool."""
    arguments: dict[str, Any]
    """Arguments, an object."""


class PartText(Model):
    """Text."""

    type: Literal["text"]
    text: str
    """The text."""


class PartToolCall(ToolCall):
    """The model asks for a tool; only in the assistant's messages."""

    type: Literal["tool_call"]


class PartToolResult(Model):
    """What a tool gave; only in the user's messages."""

    type: Literal["tool_result"]
    id: str
    """The call that this answers."""
    text: str
    """The result as text."""


type Part = Annotated[PartText | PartToolCall | PartToolResult, Field(discriminator="type")]
"""A piece of a message."""


class Message(Model):
    """A message of a conversation."""

    role: Role
    """Who says it."""
    parts: list[Part]
    """What is said."""


class Tool(Model):
    """A tool that the model may ask for."""

    name: str
    """Name."""
    description: str
    """What it does."""
    parameters: Any
    """JSON Schema of the arguments, an object."""


class Request(Model):
    """What is asked of a model."""

    system: str = ""
    """Instructions; none when empty."""
    messages: list[Message] = Field(default_factory=list[Message])
    """The conversation; the last message is the user's."""
    tools: list[Tool] = Field(default_factory=list[Tool])
    """Tools on offer."""
    schema_: Any = Field(None, alias="schema")
    """JSON Schema that the answer must follow, where the provider can hold the model to it."""
    max_tokens: Annotated[int, Field(ge=0)] | None = None
    """Most tokens of the answer; the provider's limit without it."""
    temperature: float | None = None
    """Sampling temperature; the provider's default without it."""


class Complete(Model):
    """A question to the run's model."""

    job: Annotated[int, Field(ge=0)]
    """The job."""
    request: Request
    """The question."""


type Finish = Literal["stop", "length", "tool_calls", "refused", "unknown"]
"""Why a model stopped."""


class TokenUsage(Model):
    """Tokens as the provider counted them; none where it didn't say."""

    input_tokens: Annotated[int, Field(ge=0)] | None = None
    """Tokens read, cached ones included."""
    output_tokens: Annotated[int, Field(ge=0)] | None = None
    """Tokens written."""
    cached_tokens: Annotated[int, Field(ge=0)] | None = None
    """Of the tokens read, those from the provider's cache."""


class Completion(Model):
    """A model's answer."""

    text: str
    """The text; empty when it only asks for tools."""
    tool_calls: list[ToolCall]
    """Tools that it asks for."""
    finish: Finish
    """Why it stopped."""
    usage: TokenUsage
    """Tokens."""
    model: str
    """The model's id as the provider reported it, else as it was asked for."""


class ProgramExample(Model):
    """An example to learn from, or to judge by."""

    inputs: dict[str, Any]
    """Values of inputs."""
    outputs: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Values of outputs that are known to be good; may be empty where a metric judges without them."""


class ScoreRequest(Model):
    """A prediction to judge."""

    job: Annotated[int, Field(ge=0)]
    """The job."""
    example: ProgramExample
    """The example."""
    prediction: dict[str, Any]
    """What the program gave for it."""


class Score(Model):
    """A judgement of a prediction."""

    score: float
    """From 0 to 1."""
    feedback: str
    """Why, in words that a model can learn from."""


class ToolRequest(Model):
    """A tool to call."""

    job: Annotated[int, Field(ge=0)]
    """The job."""
    name: str
    """The tool: `workspace_search`, `get_page` or `run_skill`."""
    args: dict[str, Any]
    """Its arguments."""


type Adapter = Literal["chat", "json"]
"""How a program writes its prompts and reads the answers."""


class Execution(Model):
    """One run of a program."""

    template_id: str
    """Id of a shipped template, e.g. `chain_of_thought`."""
    signature: str
    """Inputs and outputs with types, e.g. `claims: list[str] -> contradictions: list[str]`."""
    instructions: str = ""
    """What the program is to do, in words; DSPy makes one from the fields without it."""
    parameters: dict[str, Any] = Field(default_factory=dict[str, Any])
    """The template's own settings, as its manifest describes them."""
    adapter: Adapter = "chat"
    """How prompts are written."""
    state_blob: Any = None
    """Instructions and demonstrations from an optimisation. Untrusted: only what a whitelist knows is taken from it."""
    params: dict[str, Any]
    """Values of the signature's inputs."""


class Prediction(Model):
    """What a run gave."""

    outputs: dict[str, Any]
    """Values of the signature's outputs, and what the template adds, e.g. `reasoning`."""
    diagnostics: list[str] = Field(default_factory=list[str])
    """What of the state was left out, and why, one sentence each."""


class MetricAssertions(Model):
    """The artifact's assertions, scored by [`ProgramHost::score`]."""

    type: Literal["assertions"]


class MetricExact(Model):
    """The field equals the example's."""

    type: Literal["exact"]
    field: str
    """Name of an output."""


class MetricContains(Model):
    """The field contains the example's text, or its list all of the example's items."""

    type: Literal["contains"]
    field: str
    """Name of an output."""


type Metric = Annotated[MetricAssertions | MetricExact | MetricContains, Field(discriminator="type")]
"""How a prediction is judged."""


class Optimization(Model):
    """An improvement of a program."""

    template_id: str
    """Id of a shipped template, e.g. `chain_of_thought`."""
    signature: str
    """Inputs and outputs with types, e.g. `claims: list[str] -> contradictions: list[str]`."""
    instructions: str = ""
    """What the program is to do, in words; DSPy makes one from the fields without it."""
    parameters: dict[str, Any] = Field(default_factory=dict[str, Any])
    """The template's own settings, as its manifest describes them."""
    adapter: Adapter = "chat"
    """How prompts are written."""
    state_blob: Any = None
    """Where it starts from."""
    training_data: list[ProgramExample]
    """Examples to learn from."""
    held_out: list[ProgramExample] = Field(default_factory=list[ProgramExample])
    """Examples that are only judged by."""
    metric: Metric
    """How predictions are judged."""
    optimizer: str
    """Id of a shipped optimiser, e.g. `bootstrap_few_shot`."""
    options: dict[str, Any] = Field(default_factory=dict[str, Any])
    """The optimiser's own settings, as the manifest describes them."""
    seed: Annotated[int, Field(ge=0)]
    """Seed of everything random."""
    budget: Annotated[int, Field(ge=0)] | None = None
    """Most questions to models; the run's account has its own limits of tokens and cost."""


class Scores(Model):
    """Scores from 0 to 1, before and after."""

    before: float
    """Of the program as it was."""
    after: float
    """Of the candidate."""


type StoppedBy = Literal["budget", "model"]
"""Why an optimisation ended before its optimiser was through."""


class PredictorState(Model):
    """One predictor of a program, as people read it."""

    name: str
    """Its name within the program, e.g. `predict`."""
    instructions: str
    """Its instructions."""
    demos: list[dict[str, Any]]
    """Demonstrations: values by field."""


class Optimized(Model):
    """What an optimisation gave: a proposal, nothing is changed by it."""

    state_blob: Any
    """The candidate's state."""
    train: Scores
    """Average scores over the training examples."""
    held_out: Scores | None = None
    """Average scores over the held-out examples; none without such, or when it was stopped before they were judged."""
    stopped: StoppedBy | None = None
    """Set when it ended early; the candidate is the best one so far."""
    predictors_before: list[PredictorState]
    """What the program's predictors said and showed before, for people."""
    predictors: list[PredictorState]
    """What the candidate's do."""


class ProgramTemplate(Model):
    """A template that ships."""

    id: str
    """Its id."""
    title: str
    """A name for people."""
    description: str
    """What it does and when to take it, a sentence or two."""
    signature_rules: str
    """What its signature has to look like, a sentence; empty when any will do."""
    parameters: Any
    """JSON Schema of `parameters`, an object."""
    optimizers: list[str]
    """Ids of the optimisers that can improve it."""


class ProgramOptimizer(Model):
    """An optimiser that ships."""

    id: str
    """Its id."""
    title: str
    """A name for people."""
    description: str
    """What it changes and what it costs, a sentence or two."""
    options: Any
    """JSON Schema of `options`, an object."""
    least_examples: Annotated[int, Field(ge=0)]
    """Fewest training examples."""
    needs_outputs: bool
    """Whether examples must have known outputs."""


class ProgramManifest(Model):
    """What the process can do."""

    dspy: str
    """DSPy's version, which states record."""
    templates: list[ProgramTemplate]
    """Templates."""
    optimizers: list[ProgramOptimizer]
    """Optimisers."""


type ErrorKind = Literal["invalid", "failed", "model", "cancelled", "over_budget", "tool", "protocol", "internal"]
"""What kind of failure an error is; `data.kind` of a JSON-RPC error."""


class ErrorData(Model):
    """The `data` of an error."""

    kind: ErrorKind
    """What kind of failure it is."""


class RpcError(Model):
    """A JSON-RPC error."""

    code: int
    """A number, as JSON-RPC wants one: -32000 for all but protocol errors, which have JSON-RPC's own."""
    message: str
    """What went wrong, a sentence for people."""
    data: ErrorData
    """What kind."""
