"""Several independent attempts; the best one is used."""

from typing import Any

import dspy

from inklings_dspy.programs.rewarded import AttemptParameters, Rewarded
from inklings_dspy.programs.template import Template


class BestOfN(Rewarded):
    """dspy's BestOfN, created for each call because it counts its failures."""

    def choose(self, reward: Any, feedback: list[str]) -> dspy.Module:  # noqa: ARG002
        """Make independent attempts."""
        settings = self.settings
        return dspy.BestOfN(self.attempt, N=settings.n, reward_fn=reward, threshold=settings.threshold)


TEMPLATE = Template(
    id="best_of_n",
    title="Best of N",
    description="Makes several attempts and uses the one that the artifact's assertions score highest; stops at one "
    "that reaches the threshold. Without assertions it uses the first attempt. Up to n model calls.",
    parameters=AttemptParameters,
    build=BestOfN,
    signature_rules="`reasoning` is reserved unless that parameter is off.",
)
