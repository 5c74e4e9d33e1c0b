# submits "held"
import inklings

from importlib.machinery import SourceFileLoader

try:
    SourceFileLoader("escape", "/etc/passwd").load_module()
except OSError:
    inklings.submit("held")
