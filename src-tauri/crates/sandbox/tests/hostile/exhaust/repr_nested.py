# raises RecursionError; fuel 40
value = []
for _ in range(100_000):
    value = [value]
repr(value)
