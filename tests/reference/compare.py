"""Compares `inklings validate --spec-only` with the reference validator, skills-ref 0.1.1, verdict for verdict.

    python compare.py INKLINGS [RANDOM]

Makes the folders of corpus.py and RANDOM (2,000) more in a temporary folder, asks both, and fails if they differ. The reference
raises where it can't go on (bytes that aren't UTF-8, characters that YAML forbids, a list as a key): that is a refusal, too.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

from corpus import cases as corpus
from random_cases import cases as random_cases
from skills_ref.validator import validate

RANDOM = 2000


def make(base: pathlib.Path, case: dict) -> pathlib.Path:
    folder = base / case["folder"].replace("/", "_")
    files = {path: text.encode() for path, text in case["files"].items()}
    files |= {path: bytes.fromhex(text) for path, text in case.get("bytes", {}).items()}
    folder.mkdir(parents=True)
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return folder


def reference(folder: pathlib.Path) -> list[str]:
    try:
        return validate(folder)
    except Exception as error:  # noqa: BLE001
        return [f"{type(error).__name__}: {error}"]


def main(program: str, count: int) -> int:
    warnings.simplefilter("ignore")
    cases = corpus + random_cases(count)
    with tempfile.TemporaryDirectory() as base:
        folders = [make(pathlib.Path(base) / str(number), case) for number, case in enumerate(cases)]
        command = [program, "validate", "--spec-only", "--json", *map(str, folders)]
        printed = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout.decode()
        ours = {verdict["path"]: verdict for verdict in map(json.loads, printed.splitlines())}
        theirs = [reference(folder) for folder in folders]
        different = 0
        for case, folder, errors in zip(cases, folders, theirs, strict=True):
            verdict = ours[str(folder)]
            if verdict["ok"] == bool(errors):
                different += 1
                found = [f"{one['rule']}: {one['message']}" for one in verdict["diagnostics"]]
                print(f"{case['label']}\n  {case['files']}\n  reference: {errors or 'valid'}\n  ours: {found or 'valid'}")
    valid = sum(not errors for errors in theirs)
    print(f"{len(cases)} folders, {valid} valid, {different} differences")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else RANDOM))
