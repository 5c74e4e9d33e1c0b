# submits "held"
import inklings

try:
    open("/etc/passwd")
except OSError:
    inklings.submit("held")
