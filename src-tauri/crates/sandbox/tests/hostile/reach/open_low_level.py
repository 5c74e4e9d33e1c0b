# submits "held"
import inklings
import os

try:
    os.open("/", os.O_RDONLY)
except OSError:
    inklings.submit("held")
