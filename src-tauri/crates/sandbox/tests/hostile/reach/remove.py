# submits "held"
import inklings
import os

try:
    os.remove(params["folder"] + "/secret")
except OSError:
    inklings.submit("held")
