# submits []
import linecache

import inklings

inklings.submit(linecache.getlines("/etc/passwd"))
