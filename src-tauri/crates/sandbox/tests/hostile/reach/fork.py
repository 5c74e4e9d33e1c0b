# submits "held"
import inklings
import os

try:
    os.fork()
except AttributeError:
    inklings.submit("held")
