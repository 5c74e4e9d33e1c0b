# submits "done"
import inklings

print("x" * 30_000_000)
inklings.submit("done")
