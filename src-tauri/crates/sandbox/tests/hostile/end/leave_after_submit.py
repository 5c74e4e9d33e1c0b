# submits 1
import sys

import inklings

inklings.submit(1)
sys.exit(0)
