# submits "small again"
import inklings

try:
    text = "x" * (1 << 30)
except MemoryError:
    inklings.submit("small again")
