# submits "held"
import inklings

try:
    open(params["folder"] + "/secret")
except OSError:
    inklings.submit("held")
