# submits "held"
import inklings
import os

try:
    os.symlink("/etc/passwd", "/tmp/inklings-escape")
except OSError:
    inklings.submit("held")
