# bad result
import inklings

inklings.submit(float("nan"))
