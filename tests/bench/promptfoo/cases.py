"""The cases of the comparison: each assertion type that both have, with a reply for which it holds or doesn't, and its negation.

These types have the same names and values in both: equals, contains, contains-any, contains-all, icontains, starts-with, regex, is-json,
contains-json, levenshtein, llm-rubric, latency and cost, each with `not-`. Types that only one can decide:

- Inklings: structural, length, pattern, semantic, required_fields, token_range, tool-used.
- promptfoo: icontains-any, icontains-all, word-count, is-html, is-xml, is-sql, contains-html, contains-xml, contains-sql, is-refusal,
  finish-reason, similar, skill-used (of agent SDKs), javascript, python, ruby, webhook, scores (bleu, gleu, meteor, rouge-n, perplexity),
  other grades by a model (factuality, g-eval, context-*), trajectory:*, trace-*, assert-set.

Known differences, for which there are no cases:

- regex: Inklings has Rust's dialect, promptfoo JavaScript's. In Rust, `\\d`, `\\w` and `\\b` are Unicode, `.` excludes only \\n, and a
  pattern may have flags; only JavaScript has look-around and backreferences.
- levenshtein: Inklings counts characters, promptfoo UTF-16 code units.
- contains-json: Inklings finds the outermost objects and lists, or any JSON alone; promptfoo finds objects, also in lists and in YAML.
- equals with an object or number: Inklings compares as JSON, also within a code fence or other text; promptfoo compares numbers as text.
- is-json: Inklings rejects lone surrogates, numbers beyond a double and more than 128 levels; promptfoo knows no schema of draft 2020-12.
- `weight` 0: a failure doesn't count in promptfoo. `threshold` of contains-all: promptfoo ignores it.
- llm-rubric: Inklings asks for a grade from 1 to 5, promptfoo for `pass` and a score from 0 to 1. The scripted grades have both.
- promptfoo renders `{{ }}` in values, resolves `$ref` in the configuration, and reads `file://` values.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Assertion = dict[str, Any]

MODEL = "gpt-4o-mini"
# In USD per million tokens.
INPUT_PRICE, OUTPUT_PRICE = 0.15, 0.6
# The server reports it for each answer.
USAGE = {"input": 100, "output": 20}
COST = (USAGE["input"] * INPUT_PRICE + USAGE["output"] * OUTPUT_PRICE) / 1e6
# A reply, and how long it takes.
LATE, LATE_MS = "late", 20

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 2}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name"],
    "additionalProperties": False,
}
NUMBERS = {"type": "array", "items": {"type": "number"}, "minItems": 2}
TEXT = "The invoice 2026-114 is due on 3 March.\nPay 1,250.00 EUR to Müller & Söhne."
UNICODE = "Grüße aus 東京 — naïve café, ΑΒΓ 🙂"
FENCED = 'Here it is:\n\n```json\n{"name": "Ada", "age": 36}\n```\n\nAnything else?'
MARKDOWN = "# Plan\n\n- first\n- second\n\n**Done.**"


@dataclass(frozen=True)
class Case:
    id: str
    reply: str
    assertions: list[Assertion]
    delay_ms: int
    # What a model answers when it is asked to grade the reply.
    grade: str | None

    @property
    def question(self) -> str:
        return f"Answer question {self.id}."


# By type, replies with the value of an assertion. Each becomes a case, and another with `not-`.
# fmt: off
VALUES: dict[str, list[tuple[str, Any]]] = {
    "equals": [
        ("yes", "yes"), ("yes", "Yes"), ("yes\n", "yes"), (UNICODE, UNICODE), ("e\u0301", "\u00e9"), (TEXT, TEXT), ("42", 42),
        ('{"b": [1, 2], "a": null}', {"a": None, "b": [1, 2]}), ('{"a": 1}', {"a": "1"}), ("[1, 2]", [2, 1]),
    ],
    "contains": [
        (TEXT, "1,250.00 EUR"), (TEXT, "1250"), (TEXT, "due on 3 March.\nPay"), (UNICODE, "東京"), (UNICODE, "🙂"), (UNICODE, "grüße"),
        ("a.c", "a.c"), ("abc", "a.c"),
    ],
    "contains-any": [
        (TEXT, ["USD", "EUR"]), (TEXT, ["USD", "GBP"]), (UNICODE, ["大阪", "café"]), (TEXT, ["eur"]), (MARKDOWN, ["**Done.**", "x"]),
        ("one, two", ["three, four", "one, two"]), (TEXT, ["invoice"]),
    ],
    "contains-all": [
        (TEXT, ["EUR", "Müller", "invoice"]), (TEXT, ["EUR", "Muller"]), (UNICODE, ["ΑΒΓ", "🙂"]), (MARKDOWN, ["first", "second", "third"]),
        (MARKDOWN, ["- first\n- second"]), ("one", ["one", "one"]), ("", ["one"]),
    ],
    "icontains": [
        (TEXT, "INVOICE"), (TEXT, "invoices"), (UNICODE, "GRÜSSE"), (UNICODE, "grÜße"), (UNICODE, "αβγ"), (UNICODE, "CAFÉ"),
        ("ΟΔΟΣ", "οδος"), ("İstanbul", "istanbul"),
    ],
    "starts-with": [
        (TEXT, "The invoice"), (TEXT, "the invoice"), (" yes", "yes"), (UNICODE, "Grüße"), ("🙂 yes", "🙂"), (MARKDOWN, "# Plan\n\n- f"),
        ("", "a"),
    ],
    "regex": [
        (TEXT, r"\b[0-9]{4}-[0-9]{3}\b"), (TEXT, r"^Pay"), (TEXT, r"March\.\nPay"), (TEXT, r"March.Pay"), (TEXT, r"(EUR|USD) to \S+ &"),
        (TEXT, r"^[^\n]*\n[^\n]*\.$"), (UNICODE, r"[\u00e0-\u00ff]{2}e"), (UNICODE, r"^Gr..e"), ("aaa", r"^(?:a{2}){2}$"),
        ("2026-11-26T08:00:00Z", r"^\d{4}(-\d\d){2}T[\d:]+Z$"), ("a\tb", r"a\sb"),
    ],
    "is-json": [
        ('{"name": "Ada"}', None), ('{"name": "Ada",}', None), (FENCED, None), (" [1, 2]\n", None), ('"text"', None), ("{'a': 1}", None),
        ("NaN", None), ("", None), ('{"name": "Ada", "age": 36}', PERSON), ('{"name": "A", "age": 36}', PERSON),
        ('{"name": "Ada", "age": 36.5}', PERSON), ('{"name": "Ada", "age": 36.0}', PERSON), ('{"name": "Ada", "x": 1}', PERSON),
        ("[1, 2.5]", NUMBERS), ("name: Ada", PERSON),
    ],
    "contains-json": [
        (FENCED, None), (FENCED, PERSON), ("no braces", None), ("[1] is a footnote", None), ('So: {"name": "Ada", "age": 36}.', PERSON),
        ('first {"x": 1}, then {"name": "Ada"}', PERSON), ('first {"x": 1}, then {"y": 2}', PERSON), ('{"name": "Ada", "age": -1}', PERSON),
    ],
    "levenshtein": [("kitten", "sitting"), ("completely", "different")],
}
# The same with thresholds.
THRESHOLDS: dict[str, list[tuple[str, str | None, float]]] = {
    "levenshtein": [
        ("kitten", "sitting", 2), ("kitten", "sitting", 3), ("", "four", 3), ("naïve", "naive", 1),
        (TEXT, TEXT.replace("3 March", "4 April"), 6),
    ],
    "cost": [("yes", None, COST + 1e-6), ("yes", None, COST - 1e-6), ("yes", None, 0.1)],
    "latency": [(LATE, None, 1), (LATE, None, 600_000)],
}
# A reply and several assertions about it, of which the last one decides, and then its negation.
SEVERAL: list[tuple[str, list[Assertion]]] = [
    (TEXT, [{"type": "contains", "value": "EUR"}, {"type": "not-icontains", "value": "usd"}, {"type": "regex", "value": "[0-9],[0-9]{3}"}]),
    (FENCED, [
        {"type": "contains-json", "value": PERSON}, {"type": "starts-with", "value": "Here"},
        {"type": "contains-all", "value": ["36", "37"]},
    ]),
    ('{"name": "Ada"}', [
        {"type": "is-json", "value": PERSON, "weight": 3}, {"type": "equals", "value": {"name": "Ada"}, "weight": 0.5},
    ]),
    (MARKDOWN, [
        {"type": "not-is-json"}, {"type": "contains-any", "value": ["third", "second"]},
        {"type": "levenshtein", "value": "# Plan", "threshold": 9},
    ]),
]
# fmt: on
# Replies with their grades.
GRADES = {
    "good": {"reason": "It fits.", "score": 5, "pass": True},
    "fair": {"reason": "It mostly fits.", "score": 4, "pass": True},
    "bad": {"reason": "It doesn't fit.", "score": 1, "pass": False},
}


def with_negation(assertion: Assertion) -> list[Assertion]:
    return [assertion, assertion | {"type": f"not-{assertion['type']}"}]


def single() -> Iterator[tuple[str, Assertion]]:
    for name, pairs in VALUES.items():
        for reply, value in pairs:
            yield reply, {"type": name} if value is None else {"type": name, "value": value}
    for name, triples in THRESHOLDS.items():
        for reply, value, threshold in triples:
            yield reply, {"type": name, "threshold": threshold} | ({} if value is None else {"value": value})


def cases() -> list[Case]:
    found: list[Case] = []

    def add(reply: str, assertions: list[Assertion], grade: str | None = None) -> None:
        found.append(Case(f"{len(found) + 1:03}", reply, assertions, LATE_MS if reply == LATE else 0, grade))

    for reply, assertion in single():
        for one in with_negation(assertion):
            add(reply, [one])
    for reply, assertions in SEVERAL:
        *others, last = assertions
        for one in with_negation(last):
            add(reply, [*others, one])
    for reply, grade in GRADES.items():
        for one in with_negation({"type": "llm-rubric"}):
            # Each rubric is another one: a cache would answer equal requests.
            add(reply, [one | {"value": f"Rubric {len(found) + 1:03}: the answer is good."}], json.dumps(grade))
    return found
