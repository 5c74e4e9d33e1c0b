"""Compile the state that ships with the Consistency Checker's DSPy module.

`python tools/seed_state.py` writes it beside the module. LabeledFewShot chooses the demonstrations from
`checker_training.json` and asks no model, so the same training set always gives the same state.
"""

import json
from pathlib import Path
from typing import Any

import dspy

from inklings_dspy import state
from inklings_dspy.jobs import Task
from inklings_dspy.messages import Execution
from inklings_dspy.optimize.optimizers import LabeledOptions, Run, labeled_few_shot
from inklings_dspy.programs import Program

HERE = Path(__file__).parent
FOLDER = HERE.parent.parent / "seed/skills/consistency-checker/dspy"
MODULE = FOLDER / "dspy-checker.json"
STATE = FOLDER / "dspy-checker.state.json"
DEMOS = 4
SEED = 7


def compiled() -> dict[str, Any]:
    """The state that the training set gives."""
    module = json.loads(MODULE.read_text(encoding="utf-8"))
    task = Task.of(Execution(**module, params={}))
    program, _ = task.build()
    training = [
        dspy.Example(**one["inputs"], **one["outputs"]).with_inputs(*one["inputs"])
        for one in json.loads((HERE / "checker_training.json").read_text(encoding="utf-8"))
    ]
    found = labeled_few_shot(Run(program, training, _no_judge, LabeledOptions(k=DEMOS), SEED))
    if not isinstance(found, Program):
        raise TypeError(found)
    return state.dump(found, task.template.id)


def _no_judge(*_: Any) -> Any:
    raise NotImplementedError("labeled few-shot judges nothing")


def main() -> None:
    """Write the file."""
    STATE.write_text(json.dumps(compiled(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
