# submits "held"
import inklings
import tempfile

try:
    tempfile.TemporaryFile()
except OSError:
    inklings.submit("held")
