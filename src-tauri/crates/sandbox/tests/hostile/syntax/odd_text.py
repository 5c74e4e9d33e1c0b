# submits "\u00e4\u200b"
import inklings

µ = "ä​"
inklings.submit(μ)
