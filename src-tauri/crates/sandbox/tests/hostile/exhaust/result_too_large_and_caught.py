# result too large
import inklings

try:
    inklings.submit(list(range(100_000)))
except BaseException:
    inklings.submit("small")
