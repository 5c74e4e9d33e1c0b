# submits "held"
import inklings
import threading

try:
    threading.Thread(target=print).start()
except RuntimeError:
    inklings.submit("held")
