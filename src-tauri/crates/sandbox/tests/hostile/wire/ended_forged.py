# exits with 77
from wit_world.imports import host

import inklings

inklings.submit(1)
host.call(b"ended", b'{"how": "exited", "code": 77}')
