# bad result
import inklings

inklings.submit(2**64)
