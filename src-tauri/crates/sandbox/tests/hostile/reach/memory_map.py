# submits "held"
import inklings

try:
    import mmap
    mmap.mmap(3, 4096)
except Exception:
    inklings.submit("held")
