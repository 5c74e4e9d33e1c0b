"""Runs steps of one program in parallel."""

import contextvars
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import dspy


def each[T, R](step: Callable[[T], R], items: Sequence[T], workers: int) -> list[R]:
    """Apply a step to every item, at most `workers` at once; the first failure is raised.

    The trace, from which optimizers learn, is always in the order of the items.
    """
    if len(items) < 2 or workers < 2:  # noqa: PLR2004
        return [step(item) for item in items]

    def traced(item: T) -> tuple[R, list[Any]]:
        with dspy.context(trace=[]):
            return step(item), dspy.settings.trace

    with ThreadPoolExecutor(max_workers=min(workers, len(items))) as pool:
        futures = [pool.submit(contextvars.copy_context().run, traced, item) for item in items]
        try:
            done = [future.result() for future in futures]
        finally:
            for future in futures:
                future.cancel()
    for _, trace in done:
        dspy.settings.trace.extend(trace)
    return [result for result, _ in done]
