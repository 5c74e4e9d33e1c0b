# bad result
import inklings

inklings.submit([1, -float("inf")])
