# submits ["not-found", "bad-call"]
import componentize_py_types
from wit_world.imports import host

import inklings

kinds = []
for arguments in (b"{}", b"no json"):
    try:
        host.call(b"rm -rf", arguments)
    except componentize_py_types.Err as error:
        kinds.append(error.value[0])
inklings.submit(kinds)
