# submits "held"
import inklings

try:
    import _testcapi
except ImportError:
    inklings.submit("held")
