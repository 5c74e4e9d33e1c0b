# submits "held"
import inklings

try:
    import ctypes
except ImportError:
    inklings.submit("held")
