"""JSON-RPC 2.0, one message per line. The types of params and results are in `messages`."""

from dataclasses import dataclass
from typing import Any

import orjson

from inklings_dspy.messages import ErrorKind

PROTOCOL = 1
"""Version of the protocol, which must be the same on both sides."""
PING_SECONDS = 2.0
"""Seconds between two `ping` messages."""
LINE_BYTES = 32 << 20
"""Maximum bytes of a line."""
JOBS = 32
"""Maximum number of concurrent jobs; more wait."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
APPLICATION_ERROR = -32000


class ProtocolError(Exception):
    """A message that isn't in the protocol."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Call:
    """A request, or a notification when it has no id."""

    method: str
    params: dict[str, Any]
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to one of our requests: a result, or an error."""

    id: int | None
    result: Any = None
    error: dict[str, Any] | None = None


def decode(line: bytes) -> Call | Reply:
    """Read a line. Raises `ProtocolError`."""
    try:
        message: Any = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise ProtocolError(PARSE_ERROR, f"not JSON: {error}") from None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, "not a JSON-RPC 2.0 message")
    identity = message.get("id")
    if identity is not None and (not isinstance(identity, int) or isinstance(identity, bool)):
        raise ProtocolError(INVALID_REQUEST, "the id must be a number")
    if "method" in message:
        method, params = message["method"], message.get("params", {})
        if not isinstance(method, str) or not isinstance(params, dict):
            raise ProtocolError(INVALID_REQUEST, "a request must have a method and an object of params")
        return Call(method, params, identity)
    if "result" in message:
        return Reply(identity, result=message["result"])
    error = message.get("error")
    if not isinstance(error, dict):
        raise ProtocolError(INVALID_REQUEST, "not a request, result or error")
    return Reply(identity, error=error)


def request(identity: int, method: str, params: dict[str, Any]) -> bytes:
    """Write a request."""
    return orjson.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params})


def notification(method: str, params: dict[str, Any]) -> bytes:
    """Write a notification."""
    return orjson.dumps({"jsonrpc": "2.0", "method": method, "params": params})


def result(identity: int, value: Any) -> bytes:
    """Write a result."""
    return orjson.dumps({"jsonrpc": "2.0", "id": identity, "result": value})


def error(identity: int | None, kind: ErrorKind, message: str, code: int = APPLICATION_ERROR) -> bytes:
    """Write an error."""
    data = {"code": code, "message": message, "data": {"kind": kind}}
    return orjson.dumps({"jsonrpc": "2.0", "id": identity, "error": data})
