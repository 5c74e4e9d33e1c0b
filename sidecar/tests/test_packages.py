"""What the process runs on."""

import importlib.util
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def pins(name: str) -> dict[str, str]:
    lines = (line.split(";")[0].rstrip(" \\") for line in (ROOT / name).read_text().splitlines() if "==" in line)
    return dict(line.split("==") for line in lines)


@pytest.mark.parametrize("name", ["litellm", "openai", "numpy"])
def test_what_dspy_would_bring_is_absent(name: str) -> None:
    assert importlib.util.find_spec(name) is None
    assert name not in pins("requirements-dev.txt")


def test_both_lists_pin_the_same() -> None:
    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()


def test_what_is_pinned_is_installed() -> None:
    here = {name: version for name, version in pins("requirements.txt").items() if name != "colorama"}
    assert {name: distribution(name).version for name in here} == here


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_everything_has_hashes_and_nothing_an_address(name: str) -> None:
    text = (ROOT / name).read_text()
    assert "://" not in text
    blocks = [block for block in text.split("\n") if "==" in block]
    assert len(blocks) == len([line for line in blocks if line.endswith("\\")])
