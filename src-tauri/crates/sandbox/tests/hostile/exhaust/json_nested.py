# raises RecursionError
import json

json.loads("[" * 1_000_000)
