# submits "held"
import inklings
import os

try:
    os.remove("/etc/passwd")
except OSError:
    inklings.submit("held")
