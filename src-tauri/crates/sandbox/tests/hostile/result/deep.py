# bad result
import inklings

value = []
for _ in range(100_000):
    value = [value]
inklings.submit(value)
