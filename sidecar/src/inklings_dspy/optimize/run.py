"""One optimization: score the program, search for a better state, score the candidate.

Scores that an optimizer computed are reused. Model calls for scoring the candidate at the end are reserved,
so that an optimizer that reaches its budget still yields a scored candidate. A model failure ends it
like a budget if a candidate better than the program was found by then.
"""

import math
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import dspy

from inklings_dspy import jobs, state, values
from inklings_dspy.engine import language_model
from inklings_dspy.errors import Invalid, JobFailed, ModelFailed, OverBudget, reason
from inklings_dspy.host import Host
from inklings_dspy.jobs import Task
from inklings_dspy.messages import MetricAssertions, Optimization, OptimizationResult, ProgramExample, Score, Scores, StoppedBy
from inklings_dspy.optimize import progress as parts
from inklings_dspy.optimize.budget import CallBudget, Stage
from inklings_dspy.optimize.ledger import Candidate, Ledger
from inklings_dspy.optimize.metric import judge
from inklings_dspy.optimize.optimizers import OPTIMIZERS, THREADS, Optimizer, Run
from inklings_dspy.optimize.progress import Progress
from inklings_dspy.programs import Parameters, Program
from inklings_dspy.programs.parallel import each

# A failed example scores 0 and never ends an evaluation.
MAX_ERRORS = 1 << 60


class OptimizationSession:
    """Scores and tools for programs during an optimization. Bound to a stage, like their model."""

    def __init__(self, host: Host, stage: Stage, ledger: Ledger, progress: Progress) -> None:
        self._host = host
        self._stage = stage
        self._ledger = ledger
        self._progress = progress

    def score(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> Score:
        """Score an attempt of a template that selects the best of several, as in an execution."""
        self._stage.check()
        return self._host.score(ProgramExample(inputs=values.plain(inputs), outputs={}), values.plain(outputs))

    def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool of the app."""
        self._stage.check()
        return self._host.call_tool(name, values.plain(arguments))

    def ran(self, program: dspy.Module, inputs: dict[str, Any], prediction: dspy.Prediction | None) -> None:
        """Record which candidate made a prediction."""
        self._stage.check()
        if isinstance(program, Program):
            candidate = self._ledger.enter(program)
            if prediction is None:
                self._ledger.failed(candidate, inputs)
            else:
                prediction._candidate = candidate  # noqa: SLF001
        self._progress.ran()


@dataclass
class Examples:
    """The trainset and the valset."""

    trainset: list[dspy.Example]
    valset: list[dspy.Example]


class OptimizationJob:
    """One optimization."""

    def __init__(self, job: Optimization, host: Host) -> None:
        self.job = job
        self.host = host
        self.task = Task.of(job)
        self.optimizer, self.options = parse_optimizer(job, self.task)
        self.examples = parse_examples(job, self.task, self.optimizer)
        self.budget = CallBudget(host, job.budget)
        self.progress = Progress(host)
        self.ledger = Ledger(self.examples.trainset, self.progress.scored)
        self.stopped: StoppedBy | None = None

    def run(self) -> OptimizationResult:
        """Run the optimization."""
        for diagnostic in self.task.build()[1]:
            self.host.log("warning", diagnostic)
        trainset, valset = self.examples.trainset, self.examples.valset
        before = self.program()
        if not self.score_all(before, trainset, "Scoring the current program", (0.0, parts.START * 0.7)):
            partial = self.ledger.partial(before)
            return self.result(None, Scores(before=partial, after=partial), None)
        calls_per_example = math.ceil(self.budget.used / len(trainset))
        reserve = calls_per_example * (len(valset) + (0 if self.optimizer.judges else len(trainset)))
        valset_before = self.score_valset(before, "Scoring on the validation set", reserve, (parts.START * 0.7, parts.START))
        if valset_before is None:
            reserve -= calls_per_example * len(valset)
        found = self.search(reserve)
        if found is not None and not self.ledger.has(found):
            self.score_all(found, trainset, "Scoring the candidate", (parts.END, (parts.END + 1) / 2))
        best = self.ledger.best(found)
        score = self.ledger.partial(before)
        scores = Scores(before=score, after=best.mean() if best else score)
        valset_scores = None
        if valset_before is not None and best is not None:
            program = self.program(best)
            span = ((parts.END + 1) / 2, 1.0)
            unchanged = state.snapshot(program) == state.snapshot(before)
            valset_after = valset_before if unchanged else self.score_valset(program, "Scoring on the validation set", 0, span)
            if valset_after is not None:
                valset_scores = Scores(before=valset_before, after=valset_after)
        return self.result(best, scores, valset_scores)

    def program(self, candidate: Candidate | None = None) -> Program:
        """A new program in the state of a candidate, or in the job's initial state."""
        blob = None if candidate is None else {"template_id": self.task.template.id, "state": candidate.snapshot()}
        return self.task.build(blob)[0]

    def search(self, reserve: int) -> Program | None:
        """Run the optimizer. If it is stopped, its candidates are in the ledger."""
        program = self.program()
        expected = self.optimizer.expected(self.options, len(self.examples.trainset), len(program.predictors()))
        self.progress.begin(self.optimizer.title, parts.START, parts.END, expected)
        run = Run(program, self.examples.trainset, self.judge, self.options, self.job.seed)
        try:
            with Stage(self.budget, reserve) as stage, self.context(stage):
                found = self.optimizer.run(run)
                return found if isinstance(found, Program) else None
        except OverBudget:
            self.stop("budget")
        except ModelFailed as error:
            self.give_up(error)
        except Exception as error:
            # The optimizer failed, e.g. on an answer that it can't parse; its candidates so far count.
            if not self.improved():
                raise JobFailed(f"{self.optimizer.title} failed: {reason(error)}"[:2000]) from error
            self.host.log("warning", f"{self.optimizer.title} failed; using its best candidate so far: {reason(error)}"[:2000])
            if self.budget.failures:
                self.stop("model")
        return None

    def improved(self) -> bool:
        """Whether a scored candidate is better than the initial program."""
        best = self.ledger.best()
        return best is not None and best.mean() > self.ledger.partial(self.program())

    def give_up(self, error: ModelFailed) -> None:
        """End without the model. Raises the error if no better candidate was found."""
        if not self.improved():
            raise error
        self.host.log("warning", f"The model failed; using the best candidate so far: {reason(error)}"[:2000])
        self.budget.closed = True
        self.stop("model")

    def stop(self, by: StoppedBy) -> None:
        """Record the first reason for stopping early."""
        self.stopped = self.stopped or by

    def score_all(self, program: Program, examples: list[dspy.Example], text: str, span: tuple[float, float]) -> bool:
        """Score a program on every example. False if stopped before the end."""
        return self.mean_score(program, examples, text, 0, span) is not None

    def score_valset(self, program: Program, text: str, reserve: int, span: tuple[float, float]) -> float | None:
        """The score on the validation set. None without one, or if stopped before the end."""
        return self.mean_score(program, self.examples.valset, text, reserve, span) if self.examples.valset else None

    def mean_score(
        self, program: Program, examples: list[dspy.Example], text: str, reserve: int, span: tuple[float, float]
    ) -> float | None:
        """The mean score. None if stopped before the end."""
        self.progress.begin(text, *span, len(examples))

        def score(example: dspy.Example) -> float:
            try:
                prediction = program(**example.inputs())
            except Exception:  # noqa: BLE001
                return 0.0
            return self.judge(example, prediction).score

        try:
            with Stage(self.budget, reserve) as stage, self.context(stage):
                return sum(each(score, examples, THREADS)) / len(examples)
        except OverBudget:
            self.stop("budget")
        except ModelFailed as error:
            self.give_up(error)
        return None

    def judge(self, example: dspy.Example, prediction: dspy.Prediction) -> Score:
        """Score a prediction once, since GEPA requests the same score again."""
        known: Score | None = getattr(prediction, "_judged", None)
        if known is not None:
            return known
        score = judge(self.job.metric, self.host, example, prediction)
        prediction._judged = score  # noqa: SLF001
        candidate = getattr(prediction, "_candidate", None)
        if candidate is not None:
            self.ledger.scored(candidate, example, score.score)
        return score

    def context(self, stage: Stage) -> AbstractContextManager[None]:
        """Settings of dspy for a stage."""
        session = OptimizationSession(self.host, stage, self.ledger, self.progress)
        return jobs.context(language_model(stage.complete), self.job.adapter, session, max_errors=MAX_ERRORS)

    def result(self, best: Candidate | None, train: Scores, validation: Scores | None) -> OptimizationResult:
        """The result; the initial program without a candidate."""
        program = self.program(best)
        return OptimizationResult(
            state_blob=state.dump(program, self.task.template.id),
            train=train,
            validation=validation,
            stopped=self.stopped,
            predictors_before=state.shown(self.program()),
            predictors=state.shown(program),
        )


def parse_optimizer(job: Optimization, task: Task) -> tuple[Optimizer, Parameters]:
    """The optimizer and its options. Raises `Invalid`."""
    optimizer = OPTIMIZERS.get(job.optimizer)
    if optimizer is None:
        raise Invalid(f"unknown optimizer {job.optimizer!r}; expected one of {', '.join(OPTIMIZERS)}")
    if optimizer.id not in task.template.optimizers:
        raise Invalid(f"{optimizer.title} doesn't support the module type {task.template.id!r}")
    return optimizer, jobs.settings(optimizer.options, job.options, "option")


def parse_examples(job: Optimization, task: Task, optimizer: Optimizer) -> Examples:
    """The examples as dspy has them. Raises `Invalid`."""
    if len(job.trainset) < optimizer.least_examples:
        raise Invalid(f"{optimizer.title} requires at least {optimizer.least_examples} training examples")
    signature = task.signature()
    outputs = set(signature.output_fields)
    metric = job.metric
    if not isinstance(metric, MetricAssertions) and metric.field not in outputs:
        raise Invalid(f"the metric's field {metric.field!r} isn't an output")

    def read(kind: str, number: int, given: ProgramExample) -> dspy.Example:
        where = f"{kind} example {number}"
        try:
            inputs = values.inputs(signature, given.inputs)
        except Invalid as error:
            raise Invalid(f"{where}: {error}") from error
        labels = {name: value for name, value in given.outputs.items() if name in outputs}
        if not isinstance(metric, MetricAssertions) and metric.field not in labels:
            raise Invalid(f"{where} has no {metric.field!r}, which the metric requires")
        if kind == "training" and optimizer.needs_outputs and not labels:
            raise Invalid(f"{where} has no outputs, which {optimizer.title} requires")
        return dspy.Example({**labels, **inputs}).with_inputs(*inputs)

    return Examples(
        [read("training", number, given) for number, given in enumerate(job.trainset, 1)],
        [read("validation", number, given) for number, given in enumerate(job.valset, 1)],
    )


def optimize(job: Optimization, host: Host) -> OptimizationResult:
    """Run an optimization."""
    return OptimizationJob(job, host).run()
