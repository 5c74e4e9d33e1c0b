"""What the reference validator says of the folders of corpus.py: reads them from standard input, prints one JSON line each.

It raises where it can't go on (bytes that aren't UTF-8, characters that YAML forbids, a list as a key): that is a verdict, too.
"""

import json
import pathlib
import sys
import tempfile
import warnings

from skills_ref.validator import validate


def verdict(case: dict) -> list[str]:
    with tempfile.TemporaryDirectory() as base:
        folder = pathlib.Path(base) / case["folder"].replace("/", "_")
        folder.mkdir()
        files = {path: text.encode() for path, text in case["files"].items()}
        files |= {path: bytes.fromhex(text) for path, text in case.get("bytes", {}).items()}
        for path, content in files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        try:
            return validate(folder)
        except Exception as error:  # noqa: BLE001
            return [f"{type(error).__name__}: {error}"]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for case in json.load(sys.stdin):
        print(json.dumps({"label": case["label"], "errors": verdict(case)}))
