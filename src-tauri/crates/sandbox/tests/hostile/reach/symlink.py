# submits "held"
import inklings
import os

try:
    os.symlink("/etc/passwd", params["folder"] + "/escape")
except OSError:
    inklings.submit("held")
