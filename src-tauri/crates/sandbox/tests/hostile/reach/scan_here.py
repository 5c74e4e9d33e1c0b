# submits "held"
import inklings
import os

try:
    list(os.scandir("."))
except OSError:
    inklings.submit("held")
