"""The types of the protocol, against the messages that the app's own tests read."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest

import messages as generator
from inklings_dspy import messages, protocol

GOLDEN = sorted((Path(__file__).parents[2] / "tests/contract/sidecar").glob("*.json"))


def read(path: Path) -> tuple[str | None, dict[str, Any]]:
    file = json.loads(path.read_text(encoding="utf-8"))
    return file["type"], file["message"]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_is_written_again_as_it_was_read(path: Path) -> None:
    kind, message = read(path)
    protocol.decode(json.dumps(message).encode())
    part = next(name for name in ("params", "result", "error") if name in message)
    if kind is not None:
        model = getattr(messages, kind).model_validate(message[part])
        assert model.model_dump(by_alias=True, exclude_unset=True) == message[part]


def test_there_is_one_of_each_type() -> None:
    found = [read(path) for path in GOLDEN]
    properties = json.loads(generator.SCHEMA.read_text(encoding="utf-8"))["properties"]
    assert {kind for kind, _ in found if kind} == {node["$ref"].rsplit("/", 1)[1] for node in properties.values()}
    errors = {message["error"]["data"]["kind"] for kind, message in found if kind == "RpcError"}
    assert errors == set(get_args(messages.ErrorKind.__value__))


def test_the_generated_module_is_up_to_date() -> None:
    assert generator.main(["--check"]) == 0


@pytest.mark.parametrize("line", [b"", b"nonsense", b"{", b"[]", b"1", b'{"jsonrpc":"1.0","method":"x"}', b'{"jsonrpc":"2.0"}'])
def test_a_line_that_is_no_message_is_refused(line: bytes) -> None:
    with pytest.raises(protocol.ProtocolError):
        protocol.decode(line)


@pytest.mark.parametrize(
    "change",
    [{"id": "1"}, {"id": True}, {"id": 1.5}, {"method": 1}, {"params": []}, {"jsonrpc": 2}],
    ids=str,
)
def test_a_request_of_the_wrong_shape_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(protocol.ProtocolError):
        protocol.decode(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "execute", "params": {}, **change}).encode())
