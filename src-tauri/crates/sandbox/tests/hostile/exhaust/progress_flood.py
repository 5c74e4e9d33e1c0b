# out of CPU time
import inklings

while True:
    inklings.progress(0.5, "still here" * 1000)
