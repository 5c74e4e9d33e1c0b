# submits "held"
import inklings
import os

try:
    os.popen("id").read()
except (OSError, AttributeError):
    inklings.submit("held")
