"""Reads the files of the same skills over MCP from `inklings serve --mcp-stdio` and from the PyPI package agentskills-mcp-server.

    python resources.py INKLINGS [PAIRS]

Runs with the packages of requirements.txt. Both are asked in JSON-RPC over pipes, without a client library, one request at a time and
all at once, and must answer with the same bytes. Prints the medians of PAIRS (5) runs of each as JSON: nanoseconds for a file by
benchmark id. They take turns, so that a busy machine slows both. agentskills-mcp-server reads the files when it starts and answers from memory.
"""

from __future__ import annotations

import base64
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any

PAIRS = 5
SKILLS = 100
READS = 500
FILES = {
    "references/notes.md": b"A line of notes about one thing or another.\n" * 90,
    "scripts/run.py": b"print('hello')\n" * 20,
    "assets/data.bin": bytes(range(256)) * 16,
}


def write_skills(folder: pathlib.Path) -> dict[str, bytes]:
    """The bytes of each file by its address."""
    files: dict[str, bytes] = {}
    for number in range(SKILLS):
        name = f"skill-{number:03}"
        head = f"---\nname: {name}\ndescription: Skill {number}. Use when it is measured.\n---\n\n"
        for path, content in {"SKILL.md": (head + "Do it well.\n" * 300).encode(), **FILES}.items():
            file = folder / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            files[f"skill://{name}/{path}"] = content
    return files


class Server:
    """A server over its standard input and output."""

    def __init__(self, command: list[str], environment: dict[str, str]) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, env=environment, **pipes)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.input, self.output = self.process.stdin, self.process.stdout
        self.ids = 0
        client = {"name": "bench", "version": "1"}
        self.send(self.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}))
        self.receive()
        self.send(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode() + b"\n")

    def request(self, method: str, params: dict[str, Any]) -> bytes:
        self.ids += 1
        return json.dumps({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params}).encode() + b"\n"

    def send(self, line: bytes) -> None:
        self.input.write(line)
        self.input.flush()

    def receive(self) -> bytes:
        while True:
            line = self.output.readline()
            if not line:
                sys.exit(f"{self.process.args}: ended with {self.process.wait()}")
            # Not a notification.
            if b'"id"' in line:
                return line

    def sequential(self, requests: list[bytes]) -> list[bytes]:
        answers = []
        for request in requests:
            self.send(request)
            answers.append(self.receive())
        return answers

    def pipelined(self, requests: list[bytes]) -> list[bytes]:
        writer = threading.Thread(target=self.send, args=(b"".join(requests),))
        writer.start()
        answers = [self.receive() for _ in requests]
        writer.join()
        return answers

    def measure(self, way: str, addresses: list[str], files: dict[str, bytes]) -> float:
        requests = [self.request("resources/read", {"uri": address}) for address in addresses]
        first = self.ids - len(requests) + 1
        begun = time.perf_counter_ns()
        answers = getattr(self, way)(requests)
        taken = time.perf_counter_ns() - begun
        for answer in map(json.loads, answers):
            address = addresses[answer["id"] - first]
            (content,) = answer["result"]["contents"]
            found = content["text"].encode() if "text" in content else base64.b64decode(content["blob"])
            if found != files[address]:
                sys.exit(f"{self.process.args}: other bytes at {address}")
        return taken / len(requests)

    def close(self) -> None:
        self.input.close()
        self.process.wait(10)


def inklings(program: str, root: pathlib.Path, skills: pathlib.Path) -> Server:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("INKLINGS_")}
    environment |= {"INKLINGS_HOME": str(root / "home"), "INKLINGS_KEYS": "file"}
    subprocess.run([program, "import", str(skills)], env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return Server([program, "serve", "--mcp-stdio"], environment)


def agentskills(root: pathlib.Path, skills: pathlib.Path) -> Server:
    names = sorted(folder.name for folder in skills.iterdir())
    entries = [{"id": name, "provider": "fs", "options": {"root": str(skills)}} for name in names]
    config = root / "server.json"
    config.write_text(json.dumps({"name": "bench", "skills": entries}))
    return Server([sys.executable, "-m", "agentskills_mcp_server", "--config", str(config)], dict(os.environ))


def main(program: str, pairs: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        files = write_skills(root / "skills")
        servers = {"inklings": inklings(program, root, root / "skills"), "agentskills": agentskills(root, root / "skills")}
        addresses = [address for _ in range(-(-READS // len(files))) for address in files][:READS]
        measured: dict[str, float] = {}
        for way in ("sequential", "pipelined"):
            runs: dict[str, list[float]] = {name: [] for name in servers}
            # The first pair fills caches and isn't measured.
            for number in range(pairs + 1):
                for name in servers if number % 2 else reversed(servers):
                    taken = servers[name].measure(way, addresses, files)
                    if number > 0:
                        runs[name].append(taken)
            medians = {name: statistics.median(taken) for name, taken in runs.items()}
            shown = ", ".join(f"{name} {taken / 1e3:.0f} us" for name, taken in medians.items())
            print(f"{way}: {shown}, ratio {medians['agentskills'] / medians['inklings']:.1f}", file=sys.stderr, flush=True)
            measured[f"mcp/read_{way}"] = medians["inklings"]
            measured[f"mcp/read_{way}_agentskills"] = medians["agentskills"]
        for server in servers.values():
            server.close()
        print(json.dumps(measured))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else PAIRS)
