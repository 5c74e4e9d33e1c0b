# bad result
import inklings

inklings.submit(print)
