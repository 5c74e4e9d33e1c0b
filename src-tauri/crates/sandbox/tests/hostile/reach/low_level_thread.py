# submits "held"
import _thread
import inklings

try:
    _thread.start_new_thread(print, ())
except RuntimeError:
    inklings.submit("held")
