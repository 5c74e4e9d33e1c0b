"""An optimisation from beginning to end: judge the program as it is, look for a better state, judge what was found.

Scores that an optimiser found out itself are not asked for again. Questions for judging the candidate at the end are kept
back from the optimiser, so that a budget that ends it still leaves a judged candidate. A model that fails in the middle ends it
like a budget, if a candidate that is better than the program as it is was found by then.
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
from inklings_dspy.messages import MetricAssertions, Optimization, Optimized, ProgramExample, Score, Scores, StoppedBy
from inklings_dspy.optimize import progress as parts
from inklings_dspy.optimize.account import Account, Stage
from inklings_dspy.optimize.ledger import Candidate, Ledger
from inklings_dspy.optimize.metric import judge
from inklings_dspy.optimize.optimizers import OPTIMIZERS, THREADS, Optimizer, Run
from inklings_dspy.optimize.progress import Progress
from inklings_dspy.programs import Parameters, Program
from inklings_dspy.programs.parallel import each

# No number of failed examples ends an evaluation; each just scores nothing.
NO_LIMIT = 1 << 60


class OptimizationSession:
    """What programs reach while they are optimised. Bound to a stage, like the model that they ask."""

    def __init__(self, host: Host, stage: Stage, ledger: Ledger, progress: Progress) -> None:
        self._host = host
        self._stage = stage
        self._ledger = ledger
        self._progress = progress

    def score(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> Score:
        """Judge an attempt of a template that chooses among attempts, as in an execution."""
        self._stage.check()
        return self._host.score(ProgramExample(inputs=values.plain(inputs), outputs={}), values.plain(outputs))

    def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool of the app."""
        self._stage.check()
        return self._host.call_tool(name, values.plain(arguments))

    def ran(self, program: dspy.Module, inputs: dict[str, Any], prediction: dspy.Prediction | None) -> None:
        """Note which candidate gave a prediction."""
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
    """What is learnt from and judged by."""

    training: list[dspy.Example]
    held_out: list[dspy.Example]


class Improvement:
    """One optimisation."""

    def __init__(self, job: Optimization, host: Host) -> None:
        self.job = job
        self.host = host
        self.task = Task.of(job)
        self.optimizer, self.options = chosen(job, self.task)
        self.examples = examples(job, self.task, self.optimizer)
        self.account = Account(host, job.budget)
        self.progress = Progress(host)
        self.ledger = Ledger(self.examples.training, self.progress.judged)
        self.stopped: StoppedBy | None = None
        self.diagnostics: list[str] = []

    def run(self) -> Optimized:
        """Do it."""
        for said in self.program(say=True)[1]:
            self.host.log("warning", said)
        training, held_out = self.examples.training, self.examples.held_out
        before = self.program()[0]
        if not self.judged(before, training, "Judging the program as it is", (0.0, parts.START * 0.7)):
            partial = self.ledger.partial(before)
            return self.answer(None, Scores(before=partial, after=partial), None)
        each_asks = math.ceil(self.account.asked / len(training))
        keep = each_asks * (len(held_out) + (0 if self.optimizer.judges else len(training)))
        held_before = self.held_out(before, "Judging it on held-out examples", keep, (parts.START * 0.7, parts.START))
        if held_before is None:
            keep -= each_asks * len(held_out)
        found = self.search(keep)
        if found is not None and not self.ledger.has(found):
            self.judged(found, training, "Judging the candidate", (parts.END, (parts.END + 1) / 2))
        best = self.ledger.best(found)
        score = self.ledger.partial(before)
        scores = Scores(before=score, after=best.mean() if best else score)
        held_out_scores = None
        if held_before is not None and best is not None:
            program = self.program(best)[0]
            span = ((parts.END + 1) / 2, 1.0)
            unchanged = state.snapshot(program) == state.snapshot(before)
            held_after = held_before if unchanged else self.held_out(program, "Judging it on held-out examples", 0, span)
            if held_after is not None:
                held_out_scores = Scores(before=held_before, after=held_after)
        return self.answer(best, scores, held_out_scores)

    def program(self, candidate: Candidate | None = None, *, say: bool = False) -> tuple[Program, list[str]]:
        """A new program in the state of a candidate, or in the one that the job begins with."""
        blob = None
        if candidate is not None:
            blob = {"template_id": self.task.template.id, "state": candidate.snapshot()}
        program, said = self.task.build(blob)
        return program, said if say else []

    def search(self, keep: int) -> Program | None:
        """Let the optimiser look. What it found when it was stopped is in the ledger."""
        program = self.program()[0]
        expected = self.optimizer.expected(self.options, len(self.examples.training), len(program.predictors()))
        self.progress.begin(self.optimizer.title, parts.START, parts.END, expected)
        run = Run(program, self.examples.training, self.judge, self.options, self.job.seed)
        try:
            with Stage(self.account, keep) as stage, self.context(stage):
                found = self.optimizer.run(run)
                return found if isinstance(found, Program) else None
        except OverBudget:
            self.stop("budget")
        except ModelFailed as error:
            self.give_up(error)
        except Exception as error:
            # An answer that an optimiser can't read or doesn't get ends it; what it had found by then counts all the same.
            if not self.improved():
                raise JobFailed(f"{self.optimizer.title} failed: {reason(error)}"[:2000]) from error
            self.host.log("warning", f"{self.optimizer.title} failed, its best candidate so far is taken: {reason(error)}"[:2000])
            if self.account.failures:
                self.stop("model")
        return None

    def improved(self) -> bool:
        """Whether a candidate that was judged is better than the program as it is."""
        best = self.ledger.best()
        return best is not None and best.mean() > self.ledger.partial(self.program()[0])

    def give_up(self, error: ModelFailed) -> None:
        """End it without the model, which is gone. Raises the error if nothing was found that would be worth it."""
        if not self.improved():
            raise error
        self.host.log("warning", f"The model failed, the best candidate so far is taken: {reason(error)}"[:2000])
        self.account.closed = True
        self.stop("model")

    def stop(self, by: StoppedBy) -> None:
        """Note why it ends early: the first reason."""
        self.stopped = self.stopped or by

    def judged(self, program: Program, examples: list[dspy.Example], text: str, span: tuple[float, float]) -> bool:
        """Judge a program on every example. False when it was stopped first."""
        return self.mean(program, examples, text, 0, span) is not None

    def held_out(self, program: Program, text: str, keep: int, span: tuple[float, float]) -> float | None:
        """The score on the held-out examples; none without such, or when it was stopped first."""
        return self.mean(program, self.examples.held_out, text, keep, span) if self.examples.held_out else None

    def mean(self, program: Program, examples: list[dspy.Example], text: str, keep: int, span: tuple[float, float]) -> float | None:
        """The average score; none when it was stopped first."""
        self.progress.begin(text, *span, len(examples))

        def score(example: dspy.Example) -> float:
            try:
                prediction = program(**example.inputs())
            except Exception:  # noqa: BLE001
                return 0.0
            return self.judge(example, prediction).score

        try:
            with Stage(self.account, keep) as stage, self.context(stage):
                return sum(each(score, examples, THREADS)) / len(examples)
        except OverBudget:
            self.stop("budget")
        except ModelFailed as error:
            self.give_up(error)
        return None

    def judge(self, example: dspy.Example, prediction: dspy.Prediction) -> Score:
        """Judge a prediction, once: GEPA asks again for the same one."""
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
        return jobs.context(language_model(stage.complete), self.job.adapter, session, max_errors=NO_LIMIT)

    def answer(self, best: Candidate | None, train: Scores, held_out: Scores | None) -> Optimized:
        """The result. Without a candidate it is the program as it was."""
        program = self.program(best)[0]
        return Optimized(
            state_blob=state.dump(program, self.task.template.id),
            train=train,
            held_out=held_out,
            stopped=self.stopped,
            predictors_before=state.shown(self.program()[0]),
            predictors=state.shown(program),
        )


def chosen(job: Optimization, task: Task) -> tuple[Optimizer, Parameters]:
    """The optimiser and its options. Raises `Invalid`."""
    optimizer = OPTIMIZERS.get(job.optimizer)
    if optimizer is None:
        raise Invalid(f"unknown optimiser {job.optimizer!r}: there are {', '.join(OPTIMIZERS)}")
    if optimizer.id not in task.template.optimizers:
        raise Invalid(f"{optimizer.title} can't improve the template {task.template.id!r}")
    return optimizer, jobs.settings(optimizer.options, job.options, "option")


def examples(job: Optimization, task: Task, optimizer: Optimizer) -> Examples:
    """The examples as dspy has them. Raises `Invalid`."""
    if len(job.training_data) < optimizer.least_examples:
        raise Invalid(f"{optimizer.title} needs {optimizer.least_examples} training examples or more")
    signature = task.signature()
    outputs = set(signature.output_fields)
    metric = job.metric
    if not isinstance(metric, MetricAssertions) and metric.field not in outputs:
        raise Invalid(f"the metric is about {metric.field!r}, which is no output")

    def read(kind: str, number: int, given: ProgramExample) -> dspy.Example:
        where = f"the {kind} example {number}"
        try:
            inputs = values.inputs(signature, given.inputs)
        except Invalid as error:
            raise Invalid(f"{where}: {error}") from error
        labels = {name: value for name, value in given.outputs.items() if name in outputs}
        if not isinstance(metric, MetricAssertions) and metric.field not in labels:
            raise Invalid(f"{where} has no {metric.field!r}, which the metric compares")
        if kind == "training" and optimizer.needs_outputs and not labels:
            raise Invalid(f"{where} has no outputs, which {optimizer.title} needs")
        return dspy.Example({**labels, **inputs}).with_inputs(*inputs)

    return Examples(
        [read("training", number, given) for number, given in enumerate(job.training_data, 1)],
        [read("held-out", number, given) for number, given in enumerate(job.held_out, 1)],
    )


def optimize(job: Optimization, host: Host) -> Optimized:
    """Look for a better state."""
    return Improvement(job, host).run()
