"""Host functions for scripts: pages, models, skills and checkpoints. Capabilities are checked by the host."""

import os
import posixpath
from json import loads

import componentize_py_types
from wit_world.imports import host

import json_encoding
import output
from json_encoding import BadResult

__all__ = [
    "BadResult",
    "HostError",
    "Page",
    "checkpoint",
    "files",
    "get_history",
    "get_page",
    "get_pages",
    "get_pages_by_type",
    "get_references",
    "get_tags",
    "llm_query",
    "llm_query_batched",
    "log",
    "progress",
    "run_skill",
    "search",
    "skills",
    "submit",
    "workspace_search",
]


class HostError(RuntimeError):
    """A host function failed."""


EXCEPTIONS = {
    "denied": PermissionError,
    "not-found": LookupError,
    "bad-call": ValueError,
    "failed": HostError,
}


def _send(name: str, arguments: bytes):
    try:
        answer = host.call(name.encode(), arguments)
    except componentize_py_types.Err as error:
        refusal, message = error.value
    else:
        return loads(answer)
    raise EXCEPTIONS[refusal](message)


def _call(name: str, /, **arguments):
    try:
        encoded = json_encoding.encode(arguments, "arguments")
    except BadResult as error:
        message = str(error)
    else:
        return _send(name, encoded)
    raise ValueError(f"{name}: {message}")


class Page(str):
    """The body of a page, with slug, title, type, tags, path, frontmatter and body_line as attributes and items."""

    __slots__ = ("_fields",)

    def __new__(cls, fields):
        page = super().__new__(cls, fields.get("body", ""))
        page._fields = fields
        return page

    def __getattr__(self, name):
        fields = object.__getattribute__(self, "_fields")
        if name in fields:
            return fields[name]
        raise AttributeError(f"'Page' object has no attribute {name!r}; available fields: {', '.join(fields)}")

    # Overrides `str.title`.
    @property
    def title(self):
        return self._fields.get("title")

    def __getitem__(self, key):
        if isinstance(key, str):
            return self._fields[key]
        return super().__getitem__(key)

    def get(self, key, default=None):
        """Return a field, like `dict.get`."""
        return self._fields.get(key, default)

    def keys(self):
        """Return the names of the fields, like `dict.keys`."""
        return self._fields.keys()

    def __getnewargs__(self):
        return (self._fields,)


def _page(answer):
    return Page(answer) if isinstance(answer, dict) and "body" in answer else answer


def search(query, limit=20):
    """Search the pages of the workspace, best match first: dicts with slug, title, type, tags, snippet and score.

    An empty query lists all pages by slug.
    """
    return _call("search", query=query, limit=limit)


workspace_search = search


def get_page(slug):
    """Read a page. Raises LookupError if it doesn't exist."""
    return _page(_call("get_page", slug=slug))


def get_pages(slugs):
    """Read several pages in the order of their slugs."""
    return [_page(answer) for answer in _call("get_pages", slugs=list(slugs))]


def get_pages_by_type(type):
    """Read all pages of a type."""
    return [_page(answer) for answer in _call("get_pages_by_type", type=type)]


def get_tags():
    """Return the number of pages of each tag."""
    return _call("get_tags")


def get_references(slug):
    """Return the links of a page: a dict with out, in and broken."""
    return _call("get_references", slug=slug)


def get_history(slug, limit=20):
    """Return the changes of a page, newest first: dicts with id, time, author and summary."""
    return _call("get_history", slug=slug, limit=limit)


def llm_query(prompt, schema=None):
    """Send a prompt to the model and return its response, parsed if a JSON Schema is given."""
    return _call("llm_query", prompt=prompt) if schema is None else _call("llm_query", prompt=prompt, schema=schema)


def llm_query_batched(prompts, schema=None):
    """Send several prompts to the model concurrently and return the responses in order."""
    prompts = list(prompts)
    if schema is None:
        return _call("llm_query_batched", prompts=prompts)
    return _call("llm_query_batched", prompts=prompts, schema=schema)


def checkpoint(key, value=None):
    """Store a value for later runs of this script. Without a value, return the stored one, or None."""
    return _call("checkpoint", key=key) if value is None else _call("checkpoint", key=key, value=value)


def submit(value):
    """Submit the result. A script must call this exactly once."""
    _send("submit", json_encoding.encode(value, "result"))


def run_skill(name, params=None):
    """Run another skill and return its result."""
    return _call("run_skill", name=name, params={} if params is None else params)


def log(text):
    """Write a line to the log."""
    output.write(str(text) + "\n")


def progress(fraction, text=""):
    """Report the progress, from 0 to 1, with an optional message."""
    _call("progress", fraction=fraction, text=text)


class skills:
    """The available skills, read-only."""

    @staticmethod
    def list(tag=None):
        """List the skills, or those with a tag: dicts with name, title, description and tags."""
        return _call("skills.list") if tag is None else _call("skills.list", tag=tag)

    @staticmethod
    def read(name):
        """Read a skill: a dict with name, title, description, content and tags."""
        return _call("skills.read", name=name)


class files:
    """The files of this skill, read-only."""

    @staticmethod
    def list():
        """List the paths of the files, relative to the skill's folder."""
        return _call("files.list")

    @staticmethod
    def read(path):
        """Read a text file. Raises LookupError if it doesn't exist."""
        return _call("files.read", path=posixpath.normpath(os.fspath(path)))
