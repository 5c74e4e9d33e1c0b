# submits "held"
import inklings
import pathlib

try:
    pathlib.Path("/etc/hostname").read_text()
except OSError:
    inklings.submit("held")
