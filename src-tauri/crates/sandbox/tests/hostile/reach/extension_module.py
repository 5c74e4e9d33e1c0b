# submits "held"
import inklings

try:
    import numpy
except ImportError:
    inklings.submit("held")
