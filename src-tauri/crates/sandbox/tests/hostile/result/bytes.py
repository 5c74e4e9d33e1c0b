# bad result
import inklings

inklings.submit(b"x")
