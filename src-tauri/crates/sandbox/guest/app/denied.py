"""Stands in for `open`: there are no files to open."""

import builtins
import errno
import io


def deny_open(results: str) -> None:
    """Let `open` say what to use instead. `results` says where results go."""
    message = f"open() isn't available in the sandbox: read files of the skill with inklings.files.read(path), and {results}"

    def open_denied(file, *args, **kwargs):
        raise PermissionError(errno.EACCES, message, file)

    builtins.open = io.open = open_denied
