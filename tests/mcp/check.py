"""Serves skills to the official Python SDK of the Model Context Protocol and compares what it gets with the files.

Usage: check.py PATH_OF_INKLINGS
"""

import asyncio
import base64
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx2
import mcp.types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from pydantic import ConfigDict

INKLINGS = sys.argv[1]
SKILLS = 130  # More than a page.
ENDLESS = "while True:\n    pass\n"


class Anything(types.Result):
    model_config = ConfigDict(extra="allow")


class Request(types.Request[dict[str, Any], str]):
    """A request of an extension that the SDK doesn't know."""


def write_skills(folder: Path) -> None:
    """Folders whose bytes are awkward: no final newline, CR LF, a byte order mark, binary data, names that need escapes."""
    for number in range(SKILLS):
        skill = folder / f"skill-{number:03}"
        skill.mkdir(parents=True)
        text = f"---\nname: skill-{number:03}\ndescription: Skill {number}, for tests.\nlicense: MIT\nmetadata:\n  level: \"{number}\"\n---\n\nDo {number}.\n"
        (skill / "SKILL.md").write_text(text)
    awkward = folder / "skill-000"
    (awkward / "references").mkdir()
    (awkward / "references" / "crlf.md").write_bytes(b"one\r\ntwo\r\n")
    (awkward / "references" / "no newline.md").write_bytes("dernière".encode())
    (awkward / "references" / "100% #1.txt").write_bytes(b"\xef\xbb\xbfwith a mark\n")
    (awkward / "assets").mkdir()
    (awkward / "assets" / "données.bin").write_bytes(bytes(range(256)) * 4)
    (awkward / "scripts").mkdir()
    (awkward / "scripts" / "endless.py").write_text(ENDLESS)
    (awkward / "scripts" / "hello.py").write_text("import sys\nprint('hello', *sys.argv[1:])\nsys.exit(3)\n")


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


class World:
    def __init__(self, root: Path) -> None:
        self.root, self.env = root, {**os.environ, "INKLINGS_HOME": str(root / "home")}

    def run(self, *args: str) -> str:
        done = subprocess.run([INKLINGS, *args], env=self.env, capture_output=True, text=True)
        assert done.returncode == 0, f"inklings {' '.join(args)}: {done.stderr}"
        return done.stdout

    def server(self, *args: str) -> StdioServerParameters:
        return StdioServerParameters(command=INKLINGS, args=["serve", "--mcp-stdio", *args], env=self.env)


async def ask(client: Client, method: str, params: dict[str, Any]) -> dict[str, Any]:
    result = await client.session.send_request(Request(method=method, params=params), Anything)
    return result.model_dump(by_alias=True)


async def pages(client: Client, method: str, key: str) -> list[dict[str, Any]]:
    everything: list[dict[str, Any]] = []
    params: dict[str, Any] = {}
    for _ in range(100):
        page = await ask(client, method, params)
        everything += page[key]
        if not page.get("nextCursor"):
            return everything
        params = {"cursor": page["nextCursor"]}
    raise AssertionError(f"{method} never ends")


async def read(client: Client, uri: str) -> bytes:
    (content,) = (await client.read_resource(uri)).contents
    return content.text.encode() if isinstance(content, types.TextResourceContents) else base64.b64decode(content.blob)


def code_of(result: types.CallToolResult) -> str | None:
    """The code of a failure; None for a result."""
    return result.meta["inklings/failure"]["code"] if result.is_error and result.meta else None


async def check_files(client: Client, folders: dict[str, dict[str, bytes]]) -> None:
    """Every file of every skill, as a resource and by the skills extension, byte for byte."""
    listed = {resource["uri"]: resource for resource in await pages(client, "resources/list", "resources")}
    skills = {skill["frontmatter"]["name"]: skill for skill in await pages(client, "skills/list", "skills")}
    for slug, files in folders.items():
        skill = skills[slug]
        assert skill["uri"] == f"skill://{slug}/SKILL.md", skill["uri"]
        assert skill == (await ask(client, "skills/get", {"uri": skill["uri"]}))["skill"]
        assert skill["frontmatter"]["license"] == "MIT" and skill["frontmatter"]["metadata"]["level"] == str(int(slug[-3:]))
        stored = {}
        for file in skill["resources"]:
            bytes_ = await read(client, file["uri"])
            assert file["digest"] == f"sha256:{hashlib.sha256(bytes_).hexdigest()}" and file["size"] == len(bytes_), file
            assert listed[file["uri"]]["size"] == len(bytes_), file
            stored[file["uri"]] = bytes_
        # Importing adds the declaration of the artifacts.
        added = {uri for uri in stored if uri.endswith("/skill.json")}
        assert sorted(files.values()) == sorted(bytes_ for uri, bytes_ in stored.items() if uri not in added), slug
    children = await ask(client, "resources/directory/read", {"uri": "skill://skill-000/"})
    assert {"SKILL.md", "assets", "references", "scripts"} <= {child["name"] for child in children["resources"]}, children


async def check_tools(client: Client) -> None:
    names = {tool.name for tool in (await client.list_tools()).tools}
    assert {"list_skills", "read_skill", "create_skill", "update_skill", "delete_skill", "run_skill", "view_skill_artifact"} <= names, names
    assert not {"workspace_search", "get_page", "edit_system_prompt"} & names, names
    found = await client.call_tool("read_skill", {"name": "skill-001"})
    assert not found.is_error and found.structured_content["content"].strip() == "Do 1.", found
    missing = await client.call_tool("read_skill", {"name": "nothing"})
    assert code_of(missing) == "notFound", missing
    wrong = await client.call_tool("read_skill", {"skill": 1})
    assert code_of(wrong) == "invalid", wrong
    try:
        await client.call_tool("no_such_tool", {})
    except Exception as error:
        assert "no_such_tool" in str(error), error
    else:
        raise AssertionError("an unknown tool is a protocol error")
    ran = await client.call_tool("execute_plugin_script", {"skill": "skill-000", "path": "scripts/hello.py", "args": ["a b"]})
    assert ran.structured_content["exit_code"] == 3 and ran.structured_content["stdout"] == "hello a b\n", ran


async def check_writes(client: Client) -> None:
    made = await client.call_tool("create_skill", {"name": "mine", "title": "Mine", "description": "Of a client.", "content": "one\n"})
    assert made.structured_content["version"] == 1, made
    edit = {"name": "mine", "operation": "find_replace", "find": "one", "replace": "two"}
    assert (await client.call_tool("update_skill", edit)).structured_content["version"] == 2
    again = await client.call_tool("update_skill", edit)
    assert code_of(again) == "invalid", again
    # A member changes only what it created.
    theirs = await client.call_tool("update_skill", {"name": "skill-002", "operation": "append", "content": "x"})
    assert code_of(theirs) == "forbidden", theirs
    refused = await client.call_tool("delete_skill", {"name": "skill-002"})
    assert code_of(refused) == "forbidden", refused
    assert (await client.call_tool("delete_skill", {"name": "mine"})).structured_content["deleted"] is True


def cancelled(world: World) -> int:
    return sum(run["status"] == "cancelled" for run in json.loads(world.run("runs", "list", "--json"))["runs"])


async def check_cancelling(client: Client, world: World) -> None:
    """A cancelled call ends the run: the client stops waiting, and the record says so."""
    begun, before = asyncio.Event(), cancelled(world)

    async def progress(*_: Any) -> None:
        begun.set()

    call = asyncio.ensure_future(
        client.call_tool("execute_plugin_script", {"skill": "skill-000", "path": "scripts/endless.py"}, progress_callback=progress)
    )
    await asyncio.wait_for(begun.wait(), 60)
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    for _ in range(600):
        if cancelled(world) == before + 1:
            return
        await asyncio.sleep(0.1)
    raise AssertionError("the run goes on")


async def check_viewer(world: World) -> None:
    async with Client(world.server("--role", "viewer")) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {"list_skills", "read_skill", "view_skill_artifact"}, names
        refused = await client.call_tool("create_skill", {"name": "x", "title": "X", "description": "X.", "content": "x"})
        assert code_of(refused) == "forbidden", refused


async def check_hidden(world: World) -> None:
    """What agents aren't offered is absent, also if the address is known."""
    world.run("skill", "disable", "skill-003")
    async with Client(world.server()) as client:
        listed = {skill["frontmatter"]["name"] for skill in await pages(client, "skills/list", "skills")}
        assert "skill-003" not in listed and "skill-004" in listed
        try:
            await client.read_resource("skill://skill-003/SKILL.md")
        except Exception as error:
            assert "not found" in str(error), error
        else:
            raise AssertionError("a disabled skill can be read")
    world.run("skill", "enable", "skill-003")


async def check_changes(world: World) -> None:
    """A client that is connected is told when another process changes skills."""
    changed = asyncio.Event()

    async def handle(message: Any) -> None:
        if isinstance(message, types.ResourceListChangedNotification):
            changed.set()

    async with Client(world.server(), mode="legacy", message_handler=handle) as client:
        await client.list_tools()
        await asyncio.to_thread(world.run, "skill", "create", "Later")
        await asyncio.wait_for(changed.wait(), 10)
        listed = {skill["frontmatter"]["name"] for skill in await pages(client, "skills/list", "skills")}
        assert "later" in listed
    async with Client(world.server()) as client, client.listen(resources_list_changed=True) as events:
        await asyncio.to_thread(world.run, "skill", "create", "Later still")
        await asyncio.wait_for(anext(aiter(events)), 10)


async def check_http(world: World, folders: dict[str, dict[str, bytes]]) -> None:
    """The same over HTTP, with a token."""
    token = world.run("token", "create", "sdk", "--role", "member").strip()
    server = subprocess.Popen([INKLINGS, "serve"], env=world.env, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = f"{json.loads(server.stdout.readline())['address']}/mcp"
        for mode in ("legacy", "auto"):
            async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http:
                async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
                    print(f"{mode} over HTTP: protocol {client.protocol_version}")
                    await check_files(client, folders)
                    await check_tools(client)
                    await check_writes(client)
                    await check_cancelling(client, world)
        server.terminate()
        assert server.wait(30) == 0
    finally:
        server.kill()


async def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        world = World(Path(temporary))
        write_skills(world.root / "skills")
        world.run("import", str(world.root / "skills"))
        folders = {path.name: files_of(path) for path in sorted((world.root / "skills").iterdir())}
        for mode in ("legacy", "auto"):
            async with Client(world.server(), mode=mode) as client:
                print(f"{mode}: protocol {client.protocol_version}")
                await check_files(client, folders)
                await check_tools(client)
                await check_writes(client)
                await check_cancelling(client, world)
        await check_http(world, folders)
        await check_viewer(world)
        await check_hidden(world)
        await check_changes(world)
        print("ok")


asyncio.run(main())
