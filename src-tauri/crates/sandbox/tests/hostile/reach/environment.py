# submits [{}, null]
import os

import inklings

inklings.submit([dict(os.environ), os.getenv("HOME")])
