# submits "held"
import sys

import inklings

sys.path.append("/usr/lib/python3/dist-packages")
for finder in sys.meta_path:
    getattr(finder, "invalidate_caches", lambda: None)()
try:
    import apt
except ImportError:
    inklings.submit("held")
