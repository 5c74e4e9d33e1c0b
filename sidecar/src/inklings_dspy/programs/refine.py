"""Several attempts, each with advice from the failures of the previous one."""

from typing import Any

import dspy

from inklings_dspy.programs.rewarded import AttemptParameters, Rewarded
from inklings_dspy.programs.template import Template


class _Advised(dspy.Refine):
    """dspy's Refine, with advice based on the assertions' feedback instead of the reward function's code."""

    def __init__(self, module: dspy.Module, feedback: list[str], **settings: Any) -> None:
        self._feedback = feedback
        super().__init__(module, **settings)

    @property
    def reward_fn_code(self) -> str:
        """The feedback, for the prompt that writes the advice."""
        said = self._feedback[-1] if self._feedback else ""
        return f"The share of the assertions about the outputs that hold. Of these outputs they said:\n{said}"

    @reward_fn_code.setter
    def reward_fn_code(self, code: str) -> None:
        """Ignore the source of the reward function, which dspy assigns."""


class Refine(Rewarded):
    """dspy's Refine, created for each call because it counts its failures."""

    def choose(self, reward: Any, feedback: list[str]) -> dspy.Module:
        """Make attempts with advice."""
        settings = self.settings
        return _Advised(self.attempt, feedback, N=settings.n, reward_fn=reward, threshold=settings.threshold)


TEMPLATE = Template(
    id="refine",
    title="Refine",
    description="Makes an attempt, and while the artifact's assertions don't pass, has the model write advice and tries "
    "again with it; uses the best attempt. Without assertions it uses the first one. Up to 2n - 1 model calls.",
    parameters=AttemptParameters,
    build=Refine,
    signature_rules="`reasoning` is reserved unless that parameter is off.",
)
