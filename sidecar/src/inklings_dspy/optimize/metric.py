"""Metrics: scores by the app, or by comparing one field with the example's."""

import math
from typing import Any

import dspy

from inklings_dspy.host import Host
from inklings_dspy.messages import Metric, MetricAssertions, MetricExact, ProgramExample, Score
from inklings_dspy.values import plain


def judge(metric: Metric, host: Host, example: dspy.Example, prediction: dspy.Prediction) -> Score:
    """Score a prediction for an example."""
    outputs = plain(prediction.toDict())
    if isinstance(metric, MetricAssertions):
        known = ProgramExample(inputs=plain(example.inputs().toDict()), outputs=plain(example.labels().toDict()))
        score = host.score(known, outputs)
        # A score outside of 0 to 1 would mislead optimizers.
        share = min(max(score.score, 0.0), 1.0) if math.isfinite(score.score) else 0.0
        return Score(score=share, feedback=score.feedback)
    wanted, got = plain(example.get(metric.field)), outputs.get(metric.field)
    exact = isinstance(metric, MetricExact)
    if equal(wanted, got) if exact else contains(wanted, got):
        return Score(score=1.0, feedback=f"{metric.field} is correct.")
    relation = "be exactly" if exact else "contain"
    return Score(score=0.0, feedback=f"{metric.field} should {relation} {wanted!r}, but is {got!r}.")


def equal(wanted: Any, got: Any) -> bool:
    """Whether two values are equal, ignoring whitespace around text."""
    if isinstance(wanted, str) and isinstance(got, str):
        return wanted.strip() == got.strip()
    return wanted == got


def contains(wanted: Any, got: Any) -> bool:
    """Whether a text contains another, or a list all items of another."""
    if isinstance(got, list):
        items = wanted if isinstance(wanted, list) else [wanted]
        return all(any(equal(item, found) for found in got) for item in items)
    return str(wanted).strip() in str(got)
