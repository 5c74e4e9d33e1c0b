# submits "held"
import inklings
import os

try:
    os.system("true")
except AttributeError:
    inklings.submit("held")
