"""Several attempts, each with advice from what was wrong with the one before."""

from typing import Any

import dspy

from inklings_dspy.programs.rewarded import AttemptParameters, Rewarded
from inklings_dspy.programs.template import Template


class _Advised(dspy.Refine):
    """dspy's Refine, whose advice is written from what the assertions said instead of the reward function's code."""

    def __init__(self, module: dspy.Module, feedback: list[str], **settings: Any) -> None:
        self._feedback = feedback
        super().__init__(module, **settings)

    @property
    def reward_fn_code(self) -> str:
        """What the program is judged by."""
        said = self._feedback[-1] if self._feedback else ""
        return f"The share of the assertions about the outputs that hold. Of these outputs they said:\n{said}"

    @reward_fn_code.setter
    def reward_fn_code(self, code: str) -> None:
        """Dspy reads the source of the reward function here."""


class Refine(Rewarded):
    """dspy's Refine; made anew for each call because it counts its failures in itself."""

    def choose(self, reward: Any, feedback: list[str]) -> dspy.Module:
        """Attempts that are told what to do better."""
        settings = self.settings
        return _Advised(self.attempt, feedback, N=settings.n, reward_fn=reward, threshold=settings.threshold)


TEMPLATE = Template(
    id="refine",
    title="Refine",
    description="Makes an attempt, and while the artifact's assertions don't pass, has the model write advice and tries "
    "again with it; the best attempt is taken. Without assertions the first attempt is taken. Asks up to 2n - 1 times.",
    parameters=AttemptParameters,
    build=Refine,
    signature_rules="`reasoning` is reserved: the template adds it, unless its parameter is off.",
)
