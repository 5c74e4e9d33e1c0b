"""Runs the same 200 cases in `inklings eval run` and in `promptfoo eval`, against the same scripted model server.

    python compare.py INKLINGS SCRIPTED_MODEL [PAIRS]

Fails if a verdict differs, or if one sends more requests than the other. Prints the medians of PAIRS (3) runs of each as JSON: wall time in
nanoseconds and peak memory in bytes by benchmark id. They take turns, so that a busy machine slows both. npm ci comes first.
"""

from __future__ import annotations

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from typing import Any

from cases import INPUT_PRICE, MODEL, OUTPUT_PRICE, USAGE, Case, cases

HERE = pathlib.Path(__file__).parent
PROMPTFOO = HERE / "node_modules/promptfoo/dist/src/entrypoint.js"
CONCURRENCY = 4
PAIRS = 3
INSTRUCTIONS = "Answer the question."
# promptfoo's exit code if a case fails.
SOME_FAILED = 100

Verdicts = dict[str, list[str]]


class Server:
    """The scripted model server; ends with this process."""

    def __init__(self, program: str, script: pathlib.Path) -> None:
        self.process = subprocess.Popen([program, "--script-file", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = f"http://127.0.0.1:{json.loads(self.process.stdout.readline())['port']}"

    def requests(self) -> int:
        with urllib.request.urlopen(f"{self.url}/__requests") as reply:
            found = json.load(reply)
        return sum(one["path"].endswith("/chat/completions") for one in found)


class Run:
    """A finished process: its output, wall time, and peak memory."""

    def __init__(self, command: list[str], environment: dict[str, str], allowed: tuple[int, ...] = (0,)) -> None:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            begun = time.perf_counter_ns()
            process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=errors)
            _, status, usage = os.wait4(process.pid, 0)
            self.nanoseconds = time.perf_counter_ns() - begun
            process.returncode = os.waitstatus_to_exitcode(status)
            # The larger of the process and its largest child. In KiB on Linux.
            self.memory = usage.ru_maxrss * 1024
            out.seek(0)
            errors.seek(0)
            self.output = out.read().decode()
            if process.returncode not in allowed:
                sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{self.output[-2000:]}{errors.read().decode()[-2000:]}")


def script(all_cases: list[Case]) -> dict[str, Any]:
    steps = []
    for case in all_cases:
        reply = {"text": case.reply, "delay_ms": case.delay_ms, "usage": USAGE}
        steps.append({"when": {"user": case.question}, "repeat": 0, "then": {"reply": reply}})
        if case.grade is not None:
            rubric = case.assertions[0]["value"]
            steps.append({"when": {"anywhere": rubric}, "repeat": 0, "then": {"reply": {"text": case.grade, "usage": USAGE}}})
    return {"steps": steps}


class Inklings:
    def __init__(self, program: str, root: pathlib.Path, url: str, all_cases: list[Case]) -> None:
        self.program = program
        self.environment = environment() | {"INKLINGS_HOME": str(root / "home"), "INKLINGS_KEYS": "file"}
        skill = root / "answers"
        (skill / "evals").mkdir(parents=True)
        head = "---\nname: answers\ndescription: Answers questions. Use when a question is asked.\n---\n\n"
        (skill / "SKILL.md").write_text(head + INSTRUCTIONS + "\n", encoding="utf-8")
        entries = [{"id": case.id, "prompt": case.question, "assertions": case.assertions} for case in all_cases]
        (skill / "evals/evals.json").write_text(json.dumps({"evals": entries}), encoding="utf-8")
        self.run("import", str(skill))
        price = f"{MODEL}={INPUT_PRICE},{OUTPUT_PRICE}"
        self.run("model", "add", "local", "--kind", "openai-compatible", "--base-url", f"{url}/v1", "--model", MODEL, "--price", price)

    def run(self, *args: str) -> Run:
        return Run([self.program, "--json", *args], self.environment)

    def evaluate(self) -> tuple[Run, Verdicts]:
        # promptfoo has no second variant without the skill, and its cache is off.
        run = self.run("eval", "run", "answers", "--without-baseline", "--fresh", "--concurrency", str(CONCURRENCY))
        report = json.loads(run.output)
        return run, {case["key"].rpartition("#")[2]: verdicts_of_result(case["results"][0][0]) for case in report["cases"]}


def verdicts_of_result(result: dict[str, Any]) -> list[str]:
    return [result["outcome"], *(verdict["outcome"] for verdict in result["verdicts"])]


class Promptfoo:
    def __init__(self, root: pathlib.Path, url: str, all_cases: list[Case]) -> None:
        self.config, self.output = root / "promptfoo.json", root / "results.json"
        self.environment = environment() | {
            "PROMPTFOO_CONFIG_DIR": str(root / "promptfoo"),
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
            "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
            # It reports even that reports are off: let that fail at once on this machine.
            "HTTPS_PROXY": "http://127.0.0.1:1",
            "OPENAI_API_KEY": "none",
        }
        settings = {"apiBaseUrl": f"{url}/v1", "inputCost": INPUT_PRICE / 1e6, "outputCost": OUTPUT_PRICE / 1e6}
        provider = {"id": f"openai:chat:{MODEL}", "config": settings}
        messages = [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": "{{question}}"}]
        tests = [{"description": case.id, "vars": {"question": case.question}, "assert": case.assertions} for case in all_cases]
        config = {
            "prompts": [json.dumps(messages)],
            "providers": [provider],
            "defaultTest": {"options": {"provider": provider}},
            "tests": tests,
        }
        self.config.write_text(json.dumps(config), encoding="utf-8")

    def evaluate(self) -> tuple[Run, Verdicts]:
        options = ["--no-cache", "--no-table", "--no-progress-bar", "--no-share", "--max-concurrency", str(CONCURRENCY)]
        command = ["node", str(PROMPTFOO), "eval", "--config", str(self.config), "--output", str(self.output), *options]
        run = Run(command, self.environment, (0, SOME_FAILED))
        results = json.loads(self.output.read_text(encoding="utf-8"))["results"]["results"]
        return run, {result["testCase"]["description"]: verdicts_of_test(result) for result in results}


def verdicts_of_test(result: dict[str, Any]) -> list[str]:
    # 2 is an error: there was no answer to check.
    if result["failureReason"] == 2:
        return ["error"]
    word = {True: "passed", False: "failed"}
    return [word[result["success"]], *(word[one["pass"]] for one in result["gradingResult"]["componentResults"])]


def environment() -> dict[str, str]:
    """Without settings of the user."""

    def is_setting(name: str) -> bool:
        return name.startswith(("INKLINGS_", "PROMPTFOO_", "OPENAI_")) or name.lower().endswith("_proxy")

    return {name: value for name, value in os.environ.items() if not is_setting(name)}


def differences(all_cases: list[Case], ours: Verdicts, theirs: Verdicts) -> int:
    count = 0
    for case in all_cases:
        if ours.get(case.id) != theirs.get(case.id):
            count += 1
            shown = f"case {case.id}: {case.reply!r}\n  {json.dumps(case.assertions, ensure_ascii=False)}"
            report(f"{shown}\n  inklings: {ours.get(case.id)}\n  promptfoo: {theirs.get(case.id)}")
    return count


def main(inklings: str, scripted_model: str, pairs: int) -> int:
    all_cases = cases()
    requests = len(all_cases) + sum(case.grade is not None for case in all_cases)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "script.json").write_text(json.dumps(script(all_cases)), encoding="utf-8")
        server = Server(scripted_model, root / "script.json")
        tools = {"inklings": Inklings(inklings, root, server.url, all_cases), "promptfoo": Promptfoo(root, server.url, all_cases)}
        runs: dict[str, list[Run]] = {name: [] for name in tools}
        # The first pair, which isn't measured, makes databases and fills the disk's cache.
        for number in range(pairs + 1):
            verdicts: dict[str, Verdicts] = {}
            for name in tools if number % 2 else reversed(tools):
                before = server.requests()
                run, verdicts[name] = tools[name].evaluate()
                sent = server.requests() - before
                report(f"{name}: {run.nanoseconds / 1e9:.2f} s, {run.memory / 1e6:.0f} MB, {sent} requests")
                if sent != requests:
                    sys.exit(f"{name} sent {sent} requests instead of {requests}")
                if number > 0:
                    runs[name].append(run)
            ours, theirs = verdicts["inklings"], verdicts["promptfoo"]
            different = differences(all_cases, ours, theirs)
            passed = sum(verdict[0] == "passed" for verdict in ours.values())
            report(f"{len(all_cases)} cases, {passed} passed, {different} differences")
            if different:
                return 1
            if 2 * passed != len(all_cases):
                sys.exit("half of the cases should pass, since each has a negation")
    measured: dict[str, float] = {}
    for name, label in (("inklings", "run"), ("promptfoo", "promptfoo")):
        measured[f"eval/{label}_200"] = statistics.median(run.nanoseconds for run in runs[name])
        measured[f"size/eval_{label}_200_memory"] = statistics.median(run.memory for run in runs[name])
    print(json.dumps(measured))
    return 0


def report(line: str) -> None:
    """Standard output has the result only."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else PAIRS))
