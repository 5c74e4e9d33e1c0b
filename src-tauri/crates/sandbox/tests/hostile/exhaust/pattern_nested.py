# raises RecursionError
import re

re.compile("(" * 20_000 + ")" * 20_000)
