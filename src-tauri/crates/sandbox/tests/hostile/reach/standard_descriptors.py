# submits "quiet"
import os

import inklings

for number in (1, 2):
    os.write(number, b"into the void\n")
inklings.submit("quiet")
