# out of CPU time; memory 1024
import inklings

while True:
    inklings.progress(0.5, "still here" * 1000)
