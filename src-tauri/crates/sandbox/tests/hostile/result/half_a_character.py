# bad result
import inklings

inklings.submit("\ud83d")
