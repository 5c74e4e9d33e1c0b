"""Runs a skill and holds a chat against a real llama.cpp server through the real command. The server is set up as the README describes it.

Usage: check.py INKLINGS. Says what it saw; ends with 1 if something is not as it should be.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from relay import TOOL, Relay

HERE = Path(__file__).parent
SKILL = """---
name: hello
description: Greets someone. Use when someone is to be greeted.
---

Answer in one short sentence.
"""
DECLARED = {
    "artifacts": [
        {
            "path": "prompts/hello.j2",
            "kind": "prompt_template",
            "name": "Hello",
            "ordinal": 1,
            "metadata": {"assertions": [{"type": "length", "check": "char_range", "min": 1, "max": 4000, "severity": "hard"}]},
        }
    ]
}

# Of an answer: so small a model sometimes repeats itself until its context is full.
MAX_TOKENS = 64
NAMES = [
    "Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ida", "Jon",
    "Kim", "Lea", "Max", "Nora", "Otto", "Pia", "Quinn", "Rosa", "Sam", "Tara",
]  # fmt: skip
CASES = [
    {"id": number, "prompt": f"Greet {name} by name.", "assertions": [{"type": "icontains", "value": name}]}
    for number, name in enumerate(NAMES, start=1)
]


def main() -> None:
    inklings = sys.argv[1]
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root, "hello")
        Path(folder, "prompts").mkdir(parents=True)
        Path(folder, "SKILL.md").write_text(SKILL, encoding="utf-8")
        Path(folder, "prompts/hello.j2").write_text("Say hello to {{ name }}.", encoding="utf-8")
        Path(folder, "skill.json").write_text(json.dumps(DECLARED), encoding="utf-8")
        Path(folder, "evals").mkdir()
        Path(folder, "evals/evals.json").write_text(json.dumps({"evals": CASES}), encoding="utf-8")
        environment = {**os.environ, "INKLINGS_HOME": str(Path(root, "home")), "INKLINGS_KEYS": "file"}

        def run(*args: str, timeout: int = 300) -> str:
            done = subprocess.run([inklings, *args], env=environment, capture_output=True, text=True, timeout=timeout, check=False)
            if done.returncode != 0:
                sys.exit(f"{' '.join(args)}: {done.stdout}{done.stderr}")
            return done.stdout

        serve = [sys.executable, str(HERE / "serve.py"), "0", str(MAX_TOKENS)]
        server = subprocess.Popen(serve, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            url = json.loads(server.stdout.readline())["url"]
            run("model", "add", "llama", "--kind", "llamacpp", "--base-url", url, "--model", "smollm2")
            print(run("model", "test", "llama").strip())
            run("import", str(folder))
            print("streamed:", run("run", "hello", "--param", "name=Ann", "--stream").strip())
            outcome = json.loads(run("--json", "run", "hello", "--param", "name=Ann"))
            row = outcome["traces"][-1]
            expect(outcome["status"] == "ok" and row["raw_output"], f"an answer: {outcome}")
            expect(row["input_tokens"] > 0 and row["output_tokens"] > 0, f"counted tokens: {row}")
            expect(row["estimated_cost"] == 0, f"a local model costs nothing: {row}")
            expect((row["assertions_run"], row["assertions_passed"]) == (1, 1), f"its assertion held: {row}")
            rows = json.loads(run("--json", "runs", "steps"))["traces"]
            expect(len(rows) == 4, f"two runs of two artifacts: {len(rows)}")

            run("model", "add", "relayed", "--kind", "llamacpp", "--base-url", Relay(url).url, "--model", "smollm2")
            run("agent", "create", "small", "--tool", TOOL, "--only", "--model", "relayed/smollm2")
            run("agent", "assign", "small", "hello")
            chat = json.loads(run("--json", "chat", "send", "Which skills do I have?", "--agent", "small"))
            steps = chat["messages"][-1]["steps"]
            calls = [step for step in steps if step["kind"] == "tool"]
            expect([(call["call"]["name"], call["status"]) for call in calls] == [(TOOL, "done")], f"one tool call: {steps}")
            expect("hello" in calls[0]["result"], f"the skills: {calls}")
            answer = "".join(step["text"] for step in steps if step["kind"] == "text")
            expect(answer != "" and chat["messages"][-1]["status"] == "done", f"an answer: {chat}")
            print("chat:", answer)

            begun = time.monotonic()
            arguments = ["eval", "run", "hello", "--model", "llama/smollm2", "--concurrency", "1"]
            report = json.loads(run("--json", *arguments, timeout=600))
            expect((report["run"]["status"], report["done"]) == ("complete", 2 * len(NAMES)), f"a complete run: {report['run']}")
            graded = [variant["rate"]["cases"] for variant in report["variants"]]
            expect(graded == [len(NAMES)] * 2, f"all cases are graded with and without the skill: {graded}")
            for variant in report["variants"]:
                print("eval:", variant["label"], variant["rate"], variant["comparison"])
            print(f"eval: {time.monotonic() - begun:.0f} s")
            again = json.loads(run("--json", *arguments))
            rates = [[variant["rate"] for variant in one["variants"]] for one in (report, again)]
            expect(rates[0] == rates[1] and again["paid"]["output_tokens"] is None, f"the cached answers: {again['paid']}, {rates}")
        finally:
            assert server.stdin is not None
            server.stdin.close()
            server.wait(timeout=30)


def expect(holds: bool, what: str) -> None:
    if not holds:
        sys.exit(f"expected {what}")


if __name__ == "__main__":
    main()
