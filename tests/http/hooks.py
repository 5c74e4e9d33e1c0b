"""Fills generated requests with values that exist, as far as the server's earlier answers told them.

Random text alone would find nothing: most operations need the slug of a skill or an ID. Nothing here knows the list of operations.
"""

from __future__ import annotations

import atexit
import json
import os
import random
import threading
from collections import defaultdict
from typing import Any

import schemathesis

# How often a field gets a value that exists.
SHARE = 0.7
MAX_VALUES = 50
MAX_ITEMS = 50
# Fields with IDs of things whose operations have another name.
OTHER_NAMES = {"session": "chat"}

chosen = random.Random(1)
lock = threading.Lock()
# Requests that are meant to be wrong stay as they are.
fills = "KNOWN_VALUES" in os.environ
known: dict[str, list[Any]] = defaultdict(list, json.loads(os.environ.get("KNOWN_VALUES", "{}")))
# The statuses of each operation.
statuses: dict[str, set[int]] = defaultdict(set)


def learn(value: Any, field: str, family: str) -> None:
    """Collects texts and numbers by the name of their field, and IDs by the family of the operation."""
    match value:
        case dict():
            for name, item in value.items():
                learn(item, name, family)
        case list():
            for item in value[:MAX_ITEMS]:
                learn(item, field, family)
        case str() | int() if not isinstance(value, bool):
            for name in (field, family) if field == "id" else (field,):
                values = known[name]
                if value not in values and len(values) < MAX_VALUES:
                    values.append(value)


def filled(value: Any) -> Any:
    match value:
        case dict():
            return {name: filled_field(name, item) for name, item in value.items()}
        case list():
            return [filled(item) for item in value]
    return value


def filled_field(name: str, value: Any) -> Any:
    same = [one for one in known.get(OTHER_NAMES.get(name, name), []) if type(one) is type(value)]
    return chosen.choice(same) if same and chosen.random() < SHARE else filled(value)


def map_generated(context: Any, value: Any) -> Any:
    if not fills:
        return value
    with lock:
        return filled(value)


for part in ("body", "path_parameters", "query"):
    schemathesis.hook(f"map_{part}")(map_generated)


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    with lock:
        statuses[case.operation.label].add(response.status_code)
        if response.status_code == 200:
            try:
                learn(response.json(), "", case.operation.path.split("/")[-2])
            except ValueError:
                pass  # A check reports what isn't JSON.


@atexit.register
def save() -> None:
    if path := os.environ.get("STATUSES_FILE"):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({label: sorted(codes) for label, codes in statuses.items()}, file)
