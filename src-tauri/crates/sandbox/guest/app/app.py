"""What the component exports. Everything is imported before the component's memory is kept: nothing can be loaded later."""

import gc
import json
import os
import pkgutil
import sys

import wit_world

import inklings
import runner

# Programs and tests, and modules whose import does something.
LEFT_OUT = {"antigravity", "ensurepip", "idlelib", "test", "this", "tkinter", "turtledemo", "turtle"}


def preload() -> None:
    """Imports the standard library, as far as it works here."""
    for module in pkgutil.walk_packages(onerror=lambda name: None):
        parts = module.name.split(".")
        if parts[0] not in sys.stdlib_module_names or parts[0] in LEFT_OUT or parts[-1] in ("__main__", "tests"):
            continue
        try:
            __import__(module.name)
        except BaseException:
            # What needs an operating system, e.g. ctypes, is missing for scripts too.
            sys.modules.pop(module.name, None)


class WitWorld(wit_world.WitWorld):
    """The component's world."""

    def run(self, name: str, source: str, params: bytes) -> None:
        runner.run(name, source, json.loads(params))


preload()
# There is no file later; without these an unknown name fails at once.
sys.path.clear()
sys.path_hooks.clear()
sys.path_importer_cache.clear()
sys.argv = [""]
os.environ.clear()
# What is here now is never garbage, and looking at it would copy its pages in every run.
gc.collect()
gc.freeze()
