# submits "held"
import inklings

try:
    open("/proc/self/environ", "rb")
except OSError:
    inklings.submit("held")
