"""Measures GET requests to `inklings serve` beside a bare axum handler that answers with the same bytes.

    python load.py [--skills 10000] [--seconds 4] [--pairs 3] INKLINGS BARE_SERVER NAME=PATH...

wrk (apt-get install wrk) sends requests over 64 connections. Prints medians of PAIRS runs of each as JSON: nanoseconds by benchmark id.
`serve/NAME_request` is the time between two answers, so that half the throughput of the bare handler is twice its time. They take turns,
so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from typing import Any

HERE = pathlib.Path(__file__).parent
CONNECTIONS = 64
# More would take the processor from the server, on two cores.
THREADS = 1


def write_skills(folder: pathlib.Path, count: int) -> None:
    for number in range(count):
        skill = folder / f"skill-{number:05}"
        skill.mkdir(parents=True)
        head = f"---\nname: {skill.name}\ndescription: Skill {number}. Use when it is measured.\n---\n\n"
        (skill / "SKILL.md").write_text(head + "Do it well.\n" * 50)


def started(command: list[str], environment: dict[str, str] | None = None) -> tuple[subprocess.Popen[str], dict[str, Any]]:
    """A server, and the line that it prints when it is ready."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, env=environment, text=True, **pipes)
    assert process.stdout is not None
    return process, json.loads(process.stdout.readline())


def load(url: str, token: str, seconds: int) -> dict[str, float]:
    options = [f"--connections={CONNECTIONS}", f"--threads={THREADS}", f"--duration={seconds}s", "--timeout=10s"]
    command = ["wrk", *options, "--script", str(HERE / "load.lua"), "--header", f"Authorization: Bearer {token}", url]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = json.loads(output.splitlines()[-1])
    if found["failed"] or not found["requests"]:
        sys.exit(f"{url}: {found['failed']} of {found['requests']} requests failed")
    request = found["microseconds"] * 1e3 / found["requests"]
    return {"request": request, "p50": found["p50"] * 1e3, "p99": found["p99"] * 1e3}


def compare(name: str, url: str, token: str, bare: str, seconds: int, pairs: int) -> dict[str, float]:
    request = urllib.request.Request(url.replace("NUMBER", "05000"), headers={"Authorization": f"Bearer {token}"})
    with tempfile.NamedTemporaryFile() as body, urllib.request.urlopen(request) as reply:
        body.write(reply.read())
        body.flush()
        process, ready = started([bare, body.name, reply.headers["Content-Type"]])
        # The body is in the server's memory now.
    targets = {"": url, "_bare": f"http://127.0.0.1:{ready['port']}/"}
    runs: dict[str, list[dict[str, float]]] = {suffix: [] for suffix in targets}
    try:
        # The first pair, shorter, fills caches.
        for number in range(pairs + 1):
            for suffix in targets if number % 2 else reversed(targets):
                found = load(targets[suffix], token, seconds if number else 1)
                if number > 0:
                    runs[suffix].append(found)
    finally:
        process.kill()
    measured = {
        f"serve/{name}{suffix}_{key}": statistics.median(found[key] for found in all_runs)
        for suffix, all_runs in runs.items()
        for key in ("request", "p50", "p99")
    }
    ours, theirs = measured[f"serve/{name}_request"], measured[f"serve/{name}_bare_request"]
    latencies = f"p50 {measured[f'serve/{name}_p50'] / 1e6:.2f} ms, p99 {measured[f'serve/{name}_p99'] / 1e6:.2f} ms"
    shares = f"{1e9 / ours:.0f} requests/s, {theirs / ours:.2f} of the bare handler's {1e9 / theirs:.0f}"
    print(f"{name}: {latencies}, {shares}", file=sys.stderr, flush=True)
    return measured


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--skills", type=int, default=10_000)
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("inklings")
    parser.add_argument("bare_server")
    parser.add_argument("paths", nargs="+", metavar="NAME=PATH")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("INKLINGS_")}
        environment |= {"INKLINGS_HOME": str(root / "home"), "INKLINGS_KEYS": "file"}
        write_skills(root / "skills", options.skills)
        imported = [options.inklings, "import", str(root / "skills")]
        subprocess.run(imported, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        server, ready = started([options.inklings, "serve"], environment)
        measured: dict[str, float] = {}
        try:
            token = pathlib.Path(ready["tokenFile"]).read_text()
            for path in options.paths:
                name, _, path = path.partition("=")
                url = ready["address"] + path
                measured |= compare(name, url, token, options.bare_server, options.seconds, options.pairs)
        finally:
            server.terminate()
            server.wait(30)
    print(json.dumps(measured))


if __name__ == "__main__":
    main()
