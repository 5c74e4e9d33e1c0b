# stack overflow
value = ()
for _ in range(1_000_000):
    value = (value,)
hash(value)
