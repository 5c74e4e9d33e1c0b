# raises RecursionError
value = []
for _ in range(100_000):
    value = [value]
repr(value)
