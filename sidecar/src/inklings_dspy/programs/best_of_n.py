"""Several independent attempts, the best of which is taken."""

from typing import Any

import dspy

from inklings_dspy.programs.rewarded import AttemptParameters, Rewarded
from inklings_dspy.programs.template import Template


class BestOfN(Rewarded):
    """dspy's BestOfN; made anew for each call because it counts its failures in itself."""

    def choose(self, reward: Any, feedback: list[str]) -> dspy.Module:  # noqa: ARG002
        """Attempts that know nothing of each other."""
        settings = self.settings
        return dspy.BestOfN(self.attempt, N=settings.n, reward_fn=reward, threshold=settings.threshold)


TEMPLATE = Template(
    id="best_of_n",
    title="Best of N",
    description="Makes several attempts and takes the one that the artifact's assertions score highest; stops at one "
    "that reaches the threshold. Without assertions the first attempt is taken. Asks up to n times.",
    parameters=AttemptParameters,
    build=BestOfN,
    signature_rules="`reasoning` is reserved: the template adds it, unless its parameter is off.",
)
