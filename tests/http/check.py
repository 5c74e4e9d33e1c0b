"""Sends generated requests to every operation of `/openapi.json` and compares the answers with that description.

Usage: check.py PATH_OF_INKLINGS [OPTIONS_OF_SCHEMATHESIS...]

The first run sends valid bodies with values that exist, the second one what the schemas forbid. `accepted.json` has the failures that are
known: a list is accepted for an object whose fields are all optional. With `--baseline-update` or `--baseline-prune` it is written again.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ACCEPTED = HERE / "accepted.json"
SKILLS = 60
# How many requests an operation gets in each phase, at most.
EXAMPLES = 20
WORKERS = 2
# Operations that call a model, start the DSPy process, or run code: what they do depends on more than their input.
EXCLUDED = [
    r"(optimize|program)_.*",
    r"model_(test|discover)",
    r"action_run",
    r"chat_(send|retry|resume)",
    r"eval_(start|resume|rewrite|model_triggers|loop)",
    r"run_(start|script|replay)",
    r"tool_(run_skill|execute_plugin_script)",
    r"post_runs",
    # They end when the client or the run does.
    r"get_events",
    r"get_runs_run_events",
]
# The share of operations that must have answered with a result. Below it, the values that exist don't reach them.
MIN_SUCCESSFUL = 0.5
ALWAYS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"]
RUNS = {
    "positive": [*ALWAYS, "response_headers_conformance", "ignored_auth", "unsupported_method"],
    "negative": [*ALWAYS, "negative_data_rejection"],
}
FILES = {
    "prompts/answer.md": "Answer {{ question }}.\n",
    "references/notes.md": "# Notes\n\nSee [[skill-001]] and `one`.\n",
    "scripts/hello.py": "print('hello')\n",
    "assets/data.bin": bytes(range(256)),
}


def write_skills(folder: Path) -> None:
    for number in range(SKILLS):
        skill = folder / f"skill-{number:03}"
        skill.mkdir(parents=True)
        (skill / "SKILL.md").write_text(f"---\nname: {skill.name}\ndescription: Skill {number}, for tests.\n---\n\nDo {number}.\n")
        for path, content in FILES.items():
            (skill / path).parent.mkdir(exist_ok=True)
            (skill / path).write_bytes(content if isinstance(content, bytes) else content.encode())


def run(inklings: str, options: list[str], root: Path) -> int:
    env = {**os.environ, "INKLINGS_HOME": str(root / "home"), "INKLINGS_KEYS": "file"}
    write_skills(root / "skills")
    (root / "workspace").mkdir()
    (root / "workspace" / "page.md").write_text("# Page\n\nA [[link]] and #tag.\n")
    subprocess.run([inklings, "import", str(root / "skills")], env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log = root / "server.log"
    with log.open("wb") as errors:
        command = [inklings, "serve", "--workspace", str(root / "workspace")]
        server = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=errors, text=True)
    try:
        assert server.stdout is not None
        started = json.loads(server.stdout.readline())
        token = Path(started["tokenFile"]).read_text()
        known = {"skill": [f"skill-{number:03}" for number in range(SKILLS)], "path": ["SKILL.md", *FILES], "page": ["page.md"]}
        failed = False
        for mode, checks in RUNS.items():
            statuses = root / f"{mode}.json"
            environment = {**os.environ, "PYTHONPATH": str(HERE), "STATUSES_FILE": str(statuses), "SCHEMATHESIS_HOOKS": "hooks"}
            if mode == "positive":
                environment["KNOWN_VALUES"] = json.dumps(known)
            command = [Path(sys.executable).with_name("schemathesis"), "run", f"{started['address']}/openapi.json"]
            command += ["--header", f"Authorization: Bearer {token}", "--mode", mode, "--checks", ",".join(checks)]
            command += ["--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES), "--workers", str(WORKERS)]
            command += ["--seed", "1", "--no-shrink", "--continue-on-failure", "--request-timeout", "30", "--no-color", "--warnings", "off"]
            command += ["--exclude-operation-id-regex", f"^({'|'.join(EXCLUDED)})$"]
            command += ["--baseline", str(ACCEPTED)]
            print(f"== {mode}", flush=True)
            failed |= subprocess.run([*command, *options], env=environment, cwd=root).returncode != 0
            if mode == "positive":
                codes = json.loads(statuses.read_text())
                successful = [label for label, seen in codes.items() if 200 in seen]
                print(f"{len(successful)} of {len(codes)} operations gave a result", flush=True)
                print("none from", ", ".join(sorted(label.rpartition("/operations/")[2] for label in set(codes) - set(successful))))
                if len(successful) < MIN_SUCCESSFUL * len(codes):
                    print(f"less than {MIN_SUCCESSFUL:.0%} of the operations gave a result")
                    failed = True
        server.send_signal(signal.SIGTERM)
        if (code := server.wait(30)) != 0:
            print(f"the server ended with {code}")
            failed = True
    finally:
        server.kill()
    panics = [line for line in log.read_text(errors="replace").splitlines() if "panicked" in line]
    print(*panics, sep="\n", end="")
    return int(failed or bool(panics))


def main() -> int:
    with tempfile.TemporaryDirectory() as temporary:
        return run(sys.argv[1], sys.argv[2:], Path(temporary))


if __name__ == "__main__":
    sys.exit(main())
