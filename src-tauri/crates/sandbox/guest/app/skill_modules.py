"""Imports the modules of the skill, whose text the host reads. What is in memory comes first: the standard library and `inklings`."""

import importlib.machinery
import linecache
import os
import posixpath
import sys

import inklings


class Folder(str):
    """A folder of the skill, in the `__path__` of a package."""


class Finder:
    """Finds modules in the folders of `sys.path`, which are relative to the skill's."""

    def __init__(self) -> None:
        self.imported: set[str] = set()
        self._files: set[str] | None = None

    def files(self) -> set[str]:
        if self._files is None:
            self._files = set(inklings.files.list())
        return self._files

    def find_spec(self, name, path=None, target=None):
        folders = [folder_of(entry) for entry in sys.path] if path is None else [one for one in path if isinstance(one, Folder)]
        portions = []
        for folder in folders:
            if folder is None:
                continue
            base = posixpath.join(folder, name.rpartition(".")[2])
            for file, is_package in ((f"{base}/__init__.py", True), (f"{base}.py", False)):
                if file in self.files():
                    spec = importlib.machinery.ModuleSpec(name, Loader(file, self), origin=file, is_package=is_package)
                    spec.has_location = True
                    if is_package:
                        spec.submodule_search_locations[:] = [Folder(base)]
                    return spec
            if any(file.startswith(f"{base}/") for file in self.files()):
                portions.append(Folder(base))
        if not portions:
            return None
        # A package without `__init__.py`.
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations[:] = portions
        return spec


class Loader:
    """Loads one file."""

    def __init__(self, path: str, finder: Finder) -> None:
        self.path = path
        self._finder = finder

    def create_module(self, spec):
        return None

    def exec_module(self, module) -> None:
        try:
            source = inklings.files.read(self.path)
        except (LookupError, ValueError) as error:
            raise ImportError(str(error), name=module.__name__, path=self.path) from None
        self._finder.imported.add(self.path)
        exec(compiled(source, self.path), module.__dict__)

    def get_source(self, name) -> str:
        return inklings.files.read(self.path)


def folder_of(entry) -> str | None:
    """A folder of the skill, whose own is the working directory. None if it is outside."""
    try:
        path = posixpath.normpath(os.fspath(entry)).lstrip("/")
    except (TypeError, ValueError):
        return None
    return "" if path == "." else None if path.split("/")[0] == ".." else path


def compiled(source: str, path: str):
    """Compile a file, whose lines tracebacks show."""
    # A byte order mark.
    source = source.removeprefix("\ufeff")
    code = compile(source, path, "exec", dont_inherit=True)
    linecache.cache[path] = (len(source), None, source.splitlines(True), path)
    return code
