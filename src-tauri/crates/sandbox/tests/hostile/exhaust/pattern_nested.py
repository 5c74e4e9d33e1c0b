# raises RecursionError; fuel 40
import re

re.compile("(" * 20_000 + ")" * 20_000)
