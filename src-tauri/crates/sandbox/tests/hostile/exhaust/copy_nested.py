# raises RecursionError
import copy

value = []
for _ in range(100_000):
    value = [value]
copy.deepcopy(value)
