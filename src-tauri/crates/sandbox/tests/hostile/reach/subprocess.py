# submits "held"
import inklings
import subprocess

try:
    subprocess.run(["/bin/true"])
except OSError:
    inklings.submit("held")
