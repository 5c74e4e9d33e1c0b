# submits "held"
import inklings

try:
    open("/tmp/inklings-escape", "w")
except OSError:
    inklings.submit("held")
