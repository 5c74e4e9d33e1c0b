# result too large
import inklings

inklings.submit("x" * 200_000)
