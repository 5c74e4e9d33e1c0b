# out of CPU time
import re

re.fullmatch(r"(?:a|aa|a?)*c", "a" * 200)
