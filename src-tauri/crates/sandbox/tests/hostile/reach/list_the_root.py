# submits "held"
import inklings
import os

try:
    os.listdir("/")
except OSError:
    inklings.submit("held")
