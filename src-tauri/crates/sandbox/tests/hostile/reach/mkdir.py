# submits "held"
import inklings
import os

try:
    os.mkdir(params["folder"] + "/escape")
except OSError:
    inklings.submit("held")
