# submits []
import os

import inklings

found = []
for number in range(3, 64):
    try:
        found.append([number, os.fstat(number).st_mode, os.read(number, 10).hex()])
    except OSError:
        pass
inklings.submit(found)
