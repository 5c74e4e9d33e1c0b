# raises RecursionError
import pickle

value = []
for _ in range(100_000):
    value = [value]
pickle.dumps(value)
