"""What PyInstaller freezes: a package's own `__main__` can't be its entry."""

from inklings_dspy.__main__ import main

main()
