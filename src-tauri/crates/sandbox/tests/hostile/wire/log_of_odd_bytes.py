# submits 1
from wit_world.imports import host

import inklings

host.log(b"\xff\xfe\x00\xf0\x9f")
host.log(b"")
inklings.submit(1)
