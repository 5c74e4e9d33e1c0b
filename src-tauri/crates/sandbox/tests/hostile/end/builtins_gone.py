# exits
import builtins

import inklings

vars(builtins).clear()
inklings._send("submit", b'"still here"')
