# bad result
import inklings

inklings.submit(object())
