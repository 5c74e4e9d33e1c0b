# raises RecursionError
import json

value = []
for _ in range(100_000):
    value = [value]
json.dumps(value)
