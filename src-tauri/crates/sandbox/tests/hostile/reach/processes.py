# submits "held"
import inklings

try:
    import multiprocessing
    multiprocessing.Process(target=print).start()
except (ImportError, OSError):
    inklings.submit("held")
