"""What a script can ask for outside its sandbox. A thin layer: every right is checked by whoever answers."""

from json import loads

import componentize_py_types
from wit_world.imports import host

import handover
import output
from handover import BadResult

__all__ = [
    "BadResult",
    "HostError",
    "Page",
    "checkpoint",
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
    """A call failed outside."""


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
        encoded = handover.encode(arguments, "arguments")
    except BadResult as error:
        message = str(error)
    else:
        return _send(name, encoded)
    raise ValueError(f"{name}: {message}")


class Page(str):
    """A page: its text below the frontmatter. Its fields are attributes and items: slug, title, type, tags, path, frontmatter."""

    __slots__ = ("_fields",)

    def __new__(cls, fields):
        page = super().__new__(cls, fields.get("body", ""))
        page._fields = fields
        return page

    def __getattr__(self, name):
        fields = object.__getattribute__(self, "_fields")
        if name in fields:
            return fields[name]
        raise AttributeError(f"a page has no {name!r}; it has {', '.join(fields)}")

    # `str` has a method of this name.
    @property
    def title(self):
        return self._fields.get("title")

    def __getitem__(self, key):
        if isinstance(key, str):
            return self._fields[key]
        return super().__getitem__(key)

    def get(self, key, default=None):
        """The field `key`, as `dict.get`."""
        return self._fields.get(key, default)

    def keys(self):
        """The names of the fields, as `dict.keys`."""
        return self._fields.keys()

    def __getnewargs__(self):
        return (self._fields,)


def _page(answer):
    return Page(answer) if isinstance(answer, dict) and "body" in answer else answer


def search(query, limit=20):
    """Pages with these words, best first: dicts with slug, title, type, tags, snippet, score. Without words: all, by slug."""
    return _call("search", query=query, limit=limit)


workspace_search = search


def get_page(slug):
    """The page of this slug."""
    return _page(_call("get_page", slug=slug))


def get_pages(slugs):
    """The pages of these slugs, one for each, in their order."""
    return [_page(answer) for answer in _call("get_pages", slugs=list(slugs))]


def get_pages_by_type(type):
    """The pages of this type."""
    return [_page(answer) for answer in _call("get_pages_by_type", type=type)]


def get_tags():
    """How many pages each tag has."""
    return _call("get_tags")


def get_references(slug):
    """Links of a page: a dict with out, in and broken."""
    return _call("get_references", slug=slug)


def get_history(slug, limit=20):
    """The last changes of a page: dicts with id, time, author, summary."""
    return _call("get_history", slug=slug, limit=limit)


def llm_query(prompt, schema=None):
    """A model's answer to a prompt: text, or with a JSON schema the value."""
    return _call("llm_query", prompt=prompt) if schema is None else _call("llm_query", prompt=prompt, schema=schema)


def llm_query_batched(prompts, schema=None):
    """Answers to many prompts, asked at the same time, in their order."""
    prompts = list(prompts)
    if schema is None:
        return _call("llm_query_batched", prompts=prompts)
    return _call("llm_query_batched", prompts=prompts, schema=schema)


def checkpoint(key, value=None):
    """What an earlier run of this script kept under `key`, or None. With a value: keeps it, and gives it back."""
    return _call("checkpoint", key=key) if value is None else _call("checkpoint", key=key, value=value)


def submit(value):
    """Hands in the result. A script does this once."""
    _send("submit", handover.encode(value, "result"))


def run_skill(name, params=None):
    """Runs another skill to its end and gives its result."""
    return _call("run_skill", name=name, params={} if params is None else params)


def log(text):
    """Adds a line to the log."""
    output.keep(str(text) + "\n")


def progress(fraction, text=""):
    """Says how far the script is, from 0 to 1, and what it is about."""
    _call("progress", fraction=fraction, text=text)


class skills:
    """The skills of this workspace, to read."""

    @staticmethod
    def list(tag=None):
        """Every skill, or those with a tag: dicts with name, title, description, tags."""
        return _call("skills.list") if tag is None else _call("skills.list", tag=tag)

    @staticmethod
    def read(name):
        """One skill: a dict with name, title, description, content, tags."""
        return _call("skills.read", name=name)
