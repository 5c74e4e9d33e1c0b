"""The state that ships with the Consistency Checker: compiled from its training set, taken as a whole, and used."""

import json
import sys
from pathlib import Path
from typing import Any

from app import App, Json, reply, wanted

sys.path.append(str(Path(__file__).parent.parent / "tools"))

import seed_state


def test_it_is_what_the_training_set_gives() -> None:
    assert json.loads(seed_state.STATE.read_text(encoding="utf-8")) == seed_state.compiled()


def test_the_process_takes_all_of_it_and_shows_its_demonstrations_to_the_model(app: App) -> None:
    asked: list[Json] = []

    def complete(params: Json) -> Json:
        asked.append(params["request"])
        values: dict[str, Any] = {name: [] if name == "contradictions" else "none" for name in wanted(params["request"])}
        return reply(params["request"], **values)

    app.answers["lm.complete"] = complete
    blob = json.loads(seed_state.STATE.read_text(encoding="utf-8"))
    module = json.loads(seed_state.MODULE.read_text(encoding="utf-8"))
    claims = [{"page_name": "Calder", "text": "Calder has a mill."}]
    ran = app.ask("execute", {**module, "params": {"claims": claims}, "state_blob": blob})
    assert ran["diagnostics"] == []
    assert ran["outputs"]["contradictions"] == []
    shown = json.dumps(asked[0]["messages"])
    (predictor,) = blob["state"].values()
    assert len(predictor["demos"]) == seed_state.DEMOS
    for demo in predictor["demos"]:
        assert demo["claims"][0]["page_name"] in shown
