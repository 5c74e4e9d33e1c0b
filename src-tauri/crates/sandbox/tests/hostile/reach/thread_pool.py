# submits "held"
import inklings

from concurrent import futures

try:
    futures.ThreadPoolExecutor().submit(print).result()
except RuntimeError:
    inklings.submit("held")
