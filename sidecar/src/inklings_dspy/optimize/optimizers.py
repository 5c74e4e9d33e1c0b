"""The optimizers and their options."""

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
"""Maximum number of concurrent examples."""

# dspy would run an example again after two minutes, but a slow model isn't lost and its answer is paid for.
evaluate.ParallelExecutor = functools.partial(ParallelExecutor, timeout=0)


@dataclass(frozen=True)
class Run[O: Parameters]:
    """The input of an optimizer."""

    program: Program
    training: list[dspy.Example]
    judge: Callable[[dspy.Example, dspy.Prediction], Score]
    options: O
    seed: int

    def shuffled(self) -> list[dspy.Example]:
        """The training examples in the seed's order; dspy's few-shot optimizers have a fixed seed of their own."""
        examples = list(self.training)
        random.Random(self.seed).shuffle(examples)  # noqa: S311
        return examples

    def metric(self, example: dspy.Example, prediction: dspy.Prediction, *_: Any) -> float:
        """The score without feedback."""
        return self.judge(example, prediction).score

    def labelled(self) -> bool:
        """Whether every example has known outputs."""
        return all(example.labels().toDict() for example in self.training)


class LabeledOptions(Parameters):
    """Options of labeled_few_shot."""

    k: int = Field(8, ge=1, le=32, description="Maximum number of examples used as demos.")


def labeled_few_shot(run: Run[LabeledOptions]) -> dspy.Module | None:
    """Use examples as demos."""
    return LabeledFewShot(k=run.options.k).compile(run.program, trainset=run.shuffled())


class BootstrapOptions(Parameters):
    """Options of bootstrap_few_shot."""

    max_bootstrapped_demos: int = Field(4, ge=1, le=16, description="Maximum number of demos from runs that score well.")
    max_labeled_demos: int = Field(4, ge=0, le=32, description="Maximum number of demos in total; examples fill the rest.")
    max_rounds: int = Field(1, ge=1, le=5, description="Maximum number of attempts per example.")
    threshold: float = Field(0.75, ge=0.0, le=1.0, description="Minimum score of a run to become a demo.")

    def settings(self, run: Run[Any]) -> dict[str, Any]:
        """Keyword arguments for dspy."""
        return {
            "metric": run.metric,
            # dspy takes 0 for no threshold, and then any score but 0.
            "metric_threshold": self.threshold or None,
            "max_bootstrapped_demos": self.max_bootstrapped_demos,
            "max_labeled_demos": self.max_labeled_demos if run.labelled() else 0,
            "max_rounds": self.max_rounds,
        }


def bootstrap_few_shot(run: Run[BootstrapOptions]) -> dspy.Module | None:
    """Use successful runs as demos."""
    return BootstrapFewShot(**run.options.settings(run)).compile(run.program, trainset=run.shuffled())


class RandomSearchOptions(BootstrapOptions):
    """Options of bootstrap_few_shot_random_search."""

    candidates: int = Field(6, ge=1, le=32, description="Number of random sets of demos to try.")


def random_search(run: Run[RandomSearchOptions]) -> dspy.Module | None:
    """Search over sets of demos."""
    settings = run.options.settings(run)
    search = BootstrapFewShotWithRandomSearch(num_candidate_programs=run.options.candidates, num_threads=THREADS, **settings)
    # dspy's candidates: -3 has no demos, -2 examples only, -1 unshuffled runs; from 0 on they are random.
    examples_only = -2
    left_out = set() if settings["max_labeled_demos"] else {examples_only}
    numbers = [number for number in range(-3, run.options.candidates) if number not in left_out]
    return search.compile(run.program, trainset=run.shuffled(), restrict=numbers)


class CoproOptions(Parameters):
    """Options of copro."""

    breadth: int = Field(4, ge=2, le=16, description="Number of instructions proposed per round.")
    depth: int = Field(2, ge=1, le=6, description="Number of rounds; each improves on the scores of earlier ones.")
    init_temperature: float = Field(1.0, ge=0.0, le=2.0, description="Sampling temperature of the proposals.")


def copro(run: Run[CoproOptions]) -> dspy.Module | None:
    """Search over instructions."""
    options = run.options
    search = COPRO(metric=run.metric, breadth=options.breadth, depth=options.depth, init_temperature=options.init_temperature)
    return search.compile(run.program, trainset=run.shuffled(), eval_kwargs={"num_threads": THREADS})


class GepaOptions(Parameters):
    """Options of gepa."""

    full_evals: int = Field(8, ge=2, le=100, description="Maximum number of full evaluations of the training examples.")
    minibatch_size: int = Field(3, ge=1, le=16, description="Number of examples per reflection.")
    use_merge: bool = Field(default=True, description="Whether to merge good candidates.")


def gepa(run: Run[GepaOptions]) -> dspy.Module | None:
    """Improve instructions by reflecting on the metric's feedback."""

    # GEPA binds five arguments to detect whether a metric can score single predictors.
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
    """Options of infer_rules."""

    candidates: int = Field(4, ge=1, le=16, description="Number of rule sets to try.")
    rules: int = Field(8, ge=1, le=30, description="Number of rules per set.")
    max_bootstrapped_demos: int = Field(2, ge=1, le=16, description="Maximum number of demos from runs that score well.")
    max_labeled_demos: int = Field(4, ge=0, le=32, description="Maximum number of demos in total; examples fill the rest.")
    threshold: float = Field(0.75, ge=0.0, le=1.0, description="Minimum score of a run to become a demo.")


def infer_rules(run: Run[InferRulesOptions]) -> dspy.Module | None:
    """Add rules inferred from the examples."""
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
    """An optimizer."""

    id: str
    title: str
    description: str
    options: type[Parameters]
    run: Callable[[Run[Any]], dspy.Module | None]
    expected: Callable[[Any, int, int], int]
    """The approximate number of runs for options, examples and predictors."""
    judges: bool = True
    """Whether it scores its candidates on all training examples itself."""
    least_examples: int = 1
    needs_outputs: bool = False


_ALL = (
    Optimizer(
        id="labeled_few_shot",
        title="Labeled few-shot",
        description="Adds examples with known outputs to the prompt as demos. Calls the model only to score the result.",
        options=LabeledOptions,
        run=labeled_few_shot,
        expected=lambda options, examples, predictors: 0,  # noqa: ARG005
        judges=False,
        needs_outputs=True,
    ),
    Optimizer(
        id="bootstrap_few_shot",
        title="Bootstrap few-shot",
        description="Runs the program on the examples and adds runs that score well to the prompt as demos, for "
        "each step. Runs each example once or a few times.",
        options=BootstrapOptions,
        run=bootstrap_few_shot,
        expected=lambda options, examples, predictors: examples * options.max_rounds,  # noqa: ARG005
        judges=False,
    ),
    Optimizer(
        id="bootstrap_few_shot_random_search",
        title="Bootstrap few-shot with random search",
        description="Bootstraps several random sets of demos and keeps the one that scores best on all examples. "
        "Runs each example about twice per candidate.",
        options=RandomSearchOptions,
        run=random_search,
        expected=lambda options, examples, predictors: examples * (3 + 2 * (options.candidates + 1)),  # noqa: ARG005
        least_examples=2,
    ),
    Optimizer(
        id="copro",
        title="COPRO",
        description="Has the model propose instructions, evaluates each on all examples, and proposes better ones based on "
        "the scores. Runs each example breadth times depth times per predictor.",
        options=CoproOptions,
        run=copro,
        expected=lambda options, examples, predictors: examples * options.breadth * options.depth * predictors,
        least_examples=2,
    ),
    Optimizer(
        id="gepa",
        title="GEPA",
        description="Has the model reflect on the metric's feedback on a few runs and evolves the instructions; keeps "
        "candidates that are best on some examples. Works best with assertions that explain failures.",
        options=GepaOptions,
        run=gepa,
        expected=lambda options, examples, predictors: options.full_evals * examples,  # noqa: ARG005
        least_examples=2,
    ),
    Optimizer(
        id="infer_rules",
        title="Infer rules",
        description="Has the model infer rules from the examples, adds them to the instructions with bootstrapped "
        "demos, and keeps the set that scores best.",
        options=InferRulesOptions,
        run=infer_rules,
        expected=lambda options, examples, predictors: examples * (options.candidates + 1),  # noqa: ARG005
        least_examples=2,
        needs_outputs=True,
    ),
)
OPTIMIZERS: dict[str, Optimizer] = {optimizer.id: optimizer for optimizer in _ALL}
