# submits "held"
import inklings
import os

try:
    os.kill(1, 9)
except (OSError, AttributeError):
    inklings.submit("held")
