# submits "held"
import inklings

closers = [kind for kind in object.__subclasses__() if kind.__name__ == "_wrap_close"]
assert closers
try:
    closers[0].__init__.__globals__["popen"]("id")
except (OSError, AttributeError, KeyError):
    inklings.submit("held")
