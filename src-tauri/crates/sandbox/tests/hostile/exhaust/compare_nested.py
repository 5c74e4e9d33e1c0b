# raises RecursionError
one, two = [], []
for _ in range(100_000):
    one, two = [one], [two]
one == two
