# out of CPU time
import re

re.match(r"(a+)+$", "a" * 64 + "b")
