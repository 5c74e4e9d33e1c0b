# submits "held"
import inklings
import tempfile

try:
    tempfile.NamedTemporaryFile(dir=params["folder"], delete=False)
except OSError:
    inklings.submit("held")
