# submits "real"
import sys
import types

import inklings

real = inklings.submit
forged = types.ModuleType("inklings")
forged.submit = lambda value: None
sys.modules["inklings"] = forged
import inklings as again

again.submit("forged")
real("real")
