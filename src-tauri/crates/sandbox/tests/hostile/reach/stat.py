# submits "held"
import inklings
import os

try:
    os.stat("/etc/passwd")
except OSError:
    inklings.submit("held")
