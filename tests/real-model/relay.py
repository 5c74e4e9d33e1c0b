"""Stands between the command and the model server, since the model is too small to decide by itself.

Refuses tool calling, as servers of such models do, so that a chat asks for JSON objects instead. The schema that the server holds the
model to is narrowed: a tool is called first, then the result is answered.
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

TOOL = "list_skills"
RESULT = f"Result of {TOOL}"


def narrowed(body: dict[str, Any]) -> dict[str, Any]:
    """The request with one decision allowed."""
    schema = body["response_format"]["json_schema"]["schema"]
    answered = RESULT in json.dumps(body["messages"])
    chosen = {"decision": "respond"} if answered else {"decision": "act", "tool": TOOL}
    properties: dict[str, Any] = {name: {"type": "string", "enum": [value]} for name, value in chosen.items()}
    properties |= {"text": {"type": "string", "minLength": 1, "maxLength": 200}} if answered else {"arguments": {"type": "object", "properties": {}, "additionalProperties": False}}
    assert properties.keys() <= schema["properties"].keys(), f"the schema of decisions is another one: {schema}"
    only = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return body | {"response_format": {"type": "json_schema", "json_schema": {"name": "decision", "schema": only}}}


class Relay:
    """A server on a free port of 127.0.0.1 that passes requests on to `target`."""

    def __init__(self, target: str) -> None:
        relay = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                relay.pass_on(self)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.target = target.removesuffix("/v1")
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"
        Thread(target=self.server.serve_forever, daemon=True).start()

    def pass_on(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        if body.get("tools"):
            refusal = {"error": {"message": "this model does not support tools", "code": 400}}
            return answer(handler, 400, "application/json", json.dumps(refusal).encode())
        if "response_format" in body:
            body = narrowed(body)
        request = Request(self.target + handler.path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urlopen(request, timeout=240) as reply:
                return answer(handler, reply.status, reply.headers["Content-Type"], reply.read())
        except HTTPError as error:
            return answer(handler, error.code, "application/json", error.read())


def answer(handler: BaseHTTPRequestHandler, status: int, kind: str, body: bytes) -> None:
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
