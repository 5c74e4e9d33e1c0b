# submits 1
import inklings

inklings.submit(1)
try:
    inklings.submit(2)
except RuntimeError:
    pass
