# submits "held"
import inklings

try:
    open(params["folder"] + "/escape", "w")
except OSError:
    inklings.submit("held")
