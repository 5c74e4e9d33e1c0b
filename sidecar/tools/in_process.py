"""The nanoseconds that plain dspy needs for so many predictions within one process: what the DSPy process is compared with.

`python tools/in_process.py 100` prints one number. The model answers at once.
"""

import sys
import time

import dspy
from dspy import lm15

ANSWER = "[[ ## answer ## ]]\nParis\n\n[[ ## completed ## ]]"


class Instant:
    """An engine without a model."""

    supports_function_calling = False
    supports_reasoning = False
    supports_response_schema = True
    supported_params = frozenset({"temperature", "max_tokens"})

    def complete(self, _: lm15.Request) -> lm15.Response:
        """Answer at once."""
        message = lm15.Message(role="assistant", parts=(lm15.TextPart(ANSWER),))
        return lm15.Response(id=None, model="bench", message=message, finish_reason="stop", usage=lm15.Usage(None, None))


def predict(program: dspy.Predict, count: int) -> None:
    """Ask so often."""
    for _ in range(count):
        program(question="What is the capital of France?")


def main() -> None:
    """Predict, after some to warm up."""
    count = int(sys.argv[1])
    program = dspy.Predict("question -> answer")
    with dspy.context(lm=dspy.LM("bench/instant", engine=Instant(), cache=False, num_retries=0)):
        predict(program, 10)
        begun = time.perf_counter_ns()
        predict(program, count)
        sys.stdout.write(f"{time.perf_counter_ns() - begun}\n")


if __name__ == "__main__":
    main()
