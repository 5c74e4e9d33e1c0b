# submits "held"
import inklings
import os

try:
    os.mkdir("/tmp/inklings-escape")
except OSError:
    inklings.submit("held")
