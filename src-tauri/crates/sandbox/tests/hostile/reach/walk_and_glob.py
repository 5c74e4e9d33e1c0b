# submits [[], [], false]
import glob
import os

import inklings

inklings.submit([list(os.walk("/")), glob.glob("/**", recursive=True), os.path.exists("/etc/passwd")])
