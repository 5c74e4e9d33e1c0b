# stack overflow
import inklings

value = None
for _ in range(300_000):
    value = (value,)
del value
inklings.submit("freed")
