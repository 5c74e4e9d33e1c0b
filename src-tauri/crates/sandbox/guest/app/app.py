"""The component's exports. Everything is imported before the memory is snapshotted, since nothing can be loaded later."""

import atexit
import gc
import json
import os
import pkgutil
import sys

import wit_world

import inklings
import program
import runner

# Programs, tests, and modules whose import has side effects.
EXCLUDED = {"antigravity", "ensurepip", "idlelib", "test", "this", "tkinter", "turtledemo", "turtle"}


def preload() -> None:
    """Import the modules of the standard library that work without an operating system."""
    for module in pkgutil.walk_packages(onerror=lambda name: None):
        parts = module.name.split(".")
        if parts[0] not in sys.stdlib_module_names or parts[0] in EXCLUDED or parts[-1] in ("__main__", "tests"):
            continue
        try:
            __import__(module.name)
        except BaseException:
            # Modules such as ctypes are missing for scripts, too.
            sys.modules.pop(module.name, None)


class WitWorld(wit_world.WitWorld):
    """The component's world."""

    def run(self, name: str, source: str, params: bytes) -> None:
        runner.run(name, source, json.loads(params))

    def execute(self, path: str, source: str, input: bytes) -> None:
        program.run(path, source, **json.loads(input))


preload()
# There are no files later, so importing an unknown name must fail immediately.
sys.path.clear()
sys.path_hooks.clear()
sys.path_importer_cache.clear()
sys.argv = [""]
os.environ.clear()
# Those of the standard library, which was imported for every script.
atexit._clear()
# Objects of the snapshot are never garbage, and scanning them would copy their pages in every run.
gc.collect()
gc.freeze()
