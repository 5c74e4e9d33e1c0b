# raises ValueError
# What the next script must not find.
import builtins
import json
import re
import sys

builtins.MARK = sys.MARK = json.MARK = "here"
json.dumps = re.sub = lambda *arguments: "forged"
sys.modules["marked"] = sys
del builtins.print
raise ValueError
