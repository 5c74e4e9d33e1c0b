# submits "held"
import signal

import inklings

try:
    signal.alarm(1)
except AttributeError:
    inklings.submit("held")
