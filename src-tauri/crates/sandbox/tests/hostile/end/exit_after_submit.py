# exits with 0
import os

import inklings

inklings.submit(1)
os._exit(0)
