# submits "held"
import inklings
import runpy

try:
    runpy.run_path("/etc/passwd")
except OSError:
    inklings.submit("held")
