"""Frontmatter that nobody wrote: pieces of YAML put together at random, always the same ones."""

import random

PIECES = [
    *["a", "b", "x y", "1", "a-skill", "name", "description", "metadata", "license", "compatibility", "allowed-tools", "Use: it"],
    *[": ", ":", "- ", "-", "? ", "?", "<<: ", "<<", "=", "~", "null", " ", "  ", "\t", "\n", "\n ", "\n  ", "\n    ", "\n\n", "\n\t"],
    *["'", "''", '"', "\\", "\\n", "\\x41", "\\u00e9", "|", "|-", "|2", ">", ">+\n", "#", " # c", "[", "]", "{", "}", ","],
    *["&a", "*a", "!x", "%", "@", "`", "...", "\n...", "---", "\r\n", "\r", "é", "\u0301", "\u2028", "\x85", "\ufeff", "\x01", "\U0001f600"],
]
START = "name: a-skill\ndescription: Does a thing\n"
WHOLE = START + "metadata:\n  a: b\n  c:\n    d: e\nlicense: MIT # c\ncompatibility: |\n  x\n   y\n\n  z\n"


def pieces(source: random.Random, most: int) -> str:
    return "".join(source.choice(PIECES) for _ in range(source.randint(1, most)))


def changed(source: random.Random) -> str:
    text = list(WHOLE)
    for _ in range(source.randint(1, 5)):
        at = source.randrange(len(text))
        how = source.random()
        if how < 0.4:
            text.insert(at, source.choice(PIECES))
        elif how < 0.7:
            del text[at]
        else:
            text[at] = source.choice(PIECES)
    return "".join(text)


def nested(source: random.Random, depth: int, indent: int) -> str:
    """A value: a text in one of its spellings, a mapping, or a list."""
    kind = source.random()
    if depth == 0 or kind < 0.5:
        blanks = " " * (indent + source.randint(0, 3))
        folded = f">-\n{blanks}t\n\n{blanks}u"
        texts = ["x", "'q'", '"d"', "", f"|\n{blanks}t\n{blanks}u", folded, "# c", f"x\n{blanks}y", "=", "<<"]
        return " " + source.choice(texts) + "\n"
    if kind < 0.75:
        deeper = indent + source.choice([0, 1, 2, 2, 2, 3])
        keys = [source.choice([f"k{source.randint(0, 3)}", "'k'", "<<", "? k", "1"]) for _ in range(source.randint(1, 3))]
        return "\n" + "".join(" " * deeper + key + ":" + nested(source, depth - 1, deeper) for key in keys)
    deeper = indent + source.choice([0, 0, 1, 2])
    mapping = f" k: v\n{' ' * (deeper + 2)}l: m\n"
    items = [source.choice([nested(source, depth - 1, deeper + 2), mapping, " z\n"]) for _ in range(source.randint(1, 3))]
    return "\n" + "".join(" " * deeper + "-" + item for item in items)


def frontmatter(source: random.Random) -> str:
    kind = source.random()
    if kind < 0.3:
        return START + pieces(source, 10)
    if kind < 0.5:
        return f"name: a-skill\ndescription: {pieces(source, 8)}\n" + source.choice(["", "license: x\n", "metadata:\n  a: b\n"])
    if kind < 0.7:
        return changed(source)
    if kind < 0.9:
        return START + source.choice(["metadata:", "license:", "allowed-tools:"]) + nested(source, 3, 0)
    return pieces(source, 25)


def cases(count: int, seed: int = 1) -> list[dict]:
    source = random.Random(seed)
    ends = ["---\n", "\n---\nbody", "---"]
    texts = ["---\n" + frontmatter(source) + source.choice(ends) for _ in range(count)]
    return [{"label": f"random {index}", "folder": "a-skill", "files": {"SKILL.md": text}} for index, text in enumerate(texts)]
