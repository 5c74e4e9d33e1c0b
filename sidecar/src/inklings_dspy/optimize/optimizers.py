"""The optimisers that ship, and their settings."""

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import dspy
from dspy.evaluate import evaluate
from dspy.teleprompt import COPRO, GEPA, BootstrapFewShot, BootstrapFewShotWithRandomSearch, InferRules, LabeledFewShot
from dspy.utils.parallelizer import ParallelExecutor
from pydantic import Field

from inklings_dspy.messages import Score
from inklings_dspy.programs import Parameters, Program

THREADS = 4
"""Examples that are run at the same time."""

# dspy runs an example a second time when it takes two minutes: a slow model is not a lost one, and its answer is paid for.
evaluate.ParallelExecutor = functools.partial(ParallelExecutor, timeout=0)


@dataclass(frozen=True)
class Run[O: Parameters]:
    """What an optimiser works on."""

    program: Program
    training: list[dspy.Example]
    judge: Callable[[dspy.Example, dspy.Prediction], Score]
    options: O
    seed: int

    def shuffled(self) -> list[dspy.Example]:
        """The training examples in the seed's order; dspy's few-shot optimisers have a fixed seed of their own."""
        examples = list(self.training)
        random.Random(self.seed).shuffle(examples)  # noqa: S311
        return examples

    def metric(self, example: dspy.Example, prediction: dspy.Prediction, *_: Any) -> float:
        """The score alone."""
        return self.judge(example, prediction).score

    def labelled(self) -> bool:
        """Whether every example has known outputs."""
        return all(example.labels().toDict() for example in self.training)


class LabeledOptions(Parameters):
    """Of labeled_few_shot."""

    k: int = Field(8, ge=1, le=32, description="Maximum number of examples that become demonstrations.")


def labeled_few_shot(run: Run[LabeledOptions]) -> dspy.Module | None:
    """Take examples as demonstrations."""
    return LabeledFewShot(k=run.options.k).compile(run.program, trainset=run.shuffled())


class BootstrapOptions(Parameters):
    """Of bootstrap_few_shot."""

    max_bootstrapped_demos: int = Field(4, ge=1, le=16, description="Maximum number of demonstrations from good program runs.")
    max_labeled_demos: int = Field(4, ge=0, le=32, description="Maximum number of demonstrations in all; examples fill the rest.")
    max_rounds: int = Field(1, ge=1, le=5, description="Maximum number of attempts at each example.")
    threshold: float = Field(0.75, ge=0.0, le=1.0, description="Minimum score for a run to become a demonstration.")

    def settings(self, run: Run[Any]) -> dict[str, Any]:
        """As dspy takes them."""
        return {
            "metric": run.metric,
            # dspy takes 0 for no threshold, and then any score but 0.
            "metric_threshold": self.threshold or None,
            "max_bootstrapped_demos": self.max_bootstrapped_demos,
            "max_labeled_demos": self.max_labeled_demos if run.labelled() else 0,
            "max_rounds": self.max_rounds,
        }


def bootstrap_few_shot(run: Run[BootstrapOptions]) -> dspy.Module | None:
    """Take good runs as demonstrations."""
    return BootstrapFewShot(**run.options.settings(run)).compile(run.program, trainset=run.shuffled())


class RandomSearchOptions(BootstrapOptions):
    """Of bootstrap_few_shot_random_search."""

    candidates: int = Field(6, ge=1, le=32, description="Number of random sets of demonstrations to try.")


def random_search(run: Run[RandomSearchOptions]) -> dspy.Module | None:
    """Try sets of demonstrations."""
    settings = run.options.settings(run)
    search = BootstrapFewShotWithRandomSearch(num_candidate_programs=run.options.candidates, num_threads=THREADS, **settings)
    # dspy numbers what it tries: without demonstrations, with examples only, with unshuffled runs, then random ones.
    examples_only = -2
    left_out = set() if settings["max_labeled_demos"] else {examples_only}
    numbers = [number for number in range(-3, run.options.candidates) if number not in left_out]
    return search.compile(run.program, trainset=run.shuffled(), restrict=numbers)


class CoproOptions(Parameters):
    """Of copro."""

    breadth: int = Field(4, ge=2, le=16, description="Number of instructions proposed at a time.")
    depth: int = Field(2, ge=1, le=6, description="Number of rounds that propose better ones from how the earlier ones did.")
    init_temperature: float = Field(1.0, ge=0.0, le=2.0, description="Sampling temperature of the proposals.")


def copro(run: Run[CoproOptions]) -> dspy.Module | None:
    """Try instructions."""
    options = run.options
    search = COPRO(metric=run.metric, breadth=options.breadth, depth=options.depth, init_temperature=options.init_temperature)
    return search.compile(run.program, trainset=run.shuffled(), eval_kwargs={"num_threads": THREADS})


class GepaOptions(Parameters):
    """Of gepa."""

    full_evals: int = Field(8, ge=2, le=100, description="How many times all training examples may be judged.")
    minibatch_size: int = Field(3, ge=1, le=16, description="Number of examples that each reflection looks at.")
    use_merge: bool = Field(default=True, description="Whether good candidates are merged.")


def gepa(run: Run[GepaOptions]) -> dspy.Module | None:
    """Improve instructions by reflecting on what the metric said."""

    # GEPA binds five arguments to see whether a metric could judge each predictor on its own.
    def metric(
        gold: dspy.Example,
        pred: dspy.Prediction,
        _trace: Any = None,
        _pred_name: Any = None,
        _pred_trace: Any = None,
    ) -> dspy.Prediction:
        return dspy.Prediction(**run.judge(gold, pred).model_dump())

    search = GEPA(
        metric,
        max_metric_calls=run.options.full_evals * len(run.training),
        reflection_minibatch_size=min(run.options.minibatch_size, len(run.training)),
        reflection_lm=dspy.settings.lm.copy(temperature=1.0),
        use_merge=run.options.use_merge,
        num_threads=THREADS,
        seed=run.seed,
    )
    return search.compile(run.program, trainset=run.shuffled(), valset=list(run.training))


class InferRulesOptions(Parameters):
    """Of infer_rules."""

    candidates: int = Field(4, ge=1, le=16, description="Number of sets of rules to try.")
    rules: int = Field(8, ge=1, le=30, description="Number of rules in a set.")
    max_bootstrapped_demos: int = Field(2, ge=1, le=16, description="Maximum number of demonstrations from good program runs.")
    max_labeled_demos: int = Field(4, ge=0, le=32, description="Maximum number of demonstrations in all; examples fill the rest.")
    threshold: float = Field(0.75, ge=0.0, le=1.0, description="Minimum score for a run to become a demonstration.")


def infer_rules(run: Run[InferRulesOptions]) -> dspy.Module | None:
    """Add rules that the examples follow."""
    options = run.options
    search = InferRules(
        num_candidates=options.candidates,
        num_rules=options.rules,
        num_threads=THREADS,
        metric=run.metric,
        metric_threshold=options.threshold or None,
        max_bootstrapped_demos=options.max_bootstrapped_demos,
        max_labeled_demos=options.max_labeled_demos,
    )
    examples = run.shuffled()
    return search.compile(run.program, trainset=examples, valset=examples)


@dataclass(frozen=True)
class Optimizer:
    """An optimiser that ships."""

    id: str
    title: str
    description: str
    options: type[Parameters]
    run: Callable[[Run[Any]], dspy.Module | None]
    expected: Callable[[Any, int, int], int]
    """About how many runs it takes with these options, so many examples and predictors."""
    judges: bool = True
    """Whether it judges what it finds on all training examples itself."""
    least_examples: int = 1
    needs_outputs: bool = False


_ALL = (
    Optimizer(
        id="labeled_few_shot",
        title="Labeled few-shot",
        description="Puts examples with known outputs into the prompt as demonstrations. Asks the model only to judge the result.",
        options=LabeledOptions,
        run=labeled_few_shot,
        expected=lambda options, examples, predictors: 0,  # noqa: ARG005
        judges=False,
        needs_outputs=True,
    ),
    Optimizer(
        id="bootstrap_few_shot",
        title="Bootstrap few-shot",
        description="Runs the program on the examples and puts runs that score well into the prompt as demonstrations, each "
        "step of them. Asks the model once or a few times for each example.",
        options=BootstrapOptions,
        run=bootstrap_few_shot,
        expected=lambda options, examples, predictors: examples * options.max_rounds,  # noqa: ARG005
        judges=False,
    ),
    Optimizer(
        id="bootstrap_few_shot_random_search",
        title="Bootstrap few-shot with random search",
        description="Bootstraps several random sets of demonstrations and keeps the one that scores best on all examples. "
        "Costs about twice the examples for each candidate.",
        options=RandomSearchOptions,
        run=random_search,
        expected=lambda options, examples, predictors: examples * (3 + 2 * (options.candidates + 1)),  # noqa: ARG005
        least_examples=2,
    ),
    Optimizer(
        id="copro",
        title="COPRO",
        description="Has the model propose instructions, tries each on all examples, and proposes better ones from how they "
        "did. Costs breadth times depth times the examples, for each predictor.",
        options=CoproOptions,
        run=copro,
        expected=lambda options, examples, predictors: examples * options.breadth * options.depth * predictors,
        least_examples=2,
    ),
    Optimizer(
        id="gepa",
        title="GEPA",
        description="Has the model reflect on what the metric said about a few runs, and evolves the instructions; keeps "
        "candidates that are best at something. The best choice where assertions say what is wrong.",
        options=GepaOptions,
        run=gepa,
        expected=lambda options, examples, predictors: options.full_evals * examples,  # noqa: ARG005
        least_examples=2,
    ),
    Optimizer(
        id="infer_rules",
        title="Infer rules",
        description="Has the model write down rules that the examples follow, adds them to the instructions with bootstrapped "
        "demonstrations, and keeps the set that scores best.",
        options=InferRulesOptions,
        run=infer_rules,
        expected=lambda options, examples, predictors: examples * (options.candidates + 1),  # noqa: ARG005
        least_examples=2,
        needs_outputs=True,
    ),
)
OPTIMIZERS: dict[str, Optimizer] = {optimizer.id: optimizer for optimizer in _ALL}
