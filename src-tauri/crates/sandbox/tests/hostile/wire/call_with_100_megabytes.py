# submits "refused"; memory 1024
import componentize_py_types
from wit_world.imports import host

import inklings

try:
    host.call(b"get_page", b"[" + b"0," * 50_000_000 + b"0]")
except componentize_py_types.Err:
    inklings.submit("refused")
