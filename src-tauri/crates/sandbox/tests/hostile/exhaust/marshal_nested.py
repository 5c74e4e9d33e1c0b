# raises ValueError
import marshal

value = ()
for _ in range(100_000):
    value = (value,)
marshal.dumps(value)
