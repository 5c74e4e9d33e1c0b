# raises StopIteration
import itertools

value = iter(())
for _ in range(200_000):
    value = itertools.chain(value, ())
next(value)
