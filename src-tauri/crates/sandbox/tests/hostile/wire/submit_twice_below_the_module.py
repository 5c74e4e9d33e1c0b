# submits 1
import componentize_py_types
from wit_world.imports import host

host.call(b"submit", b"1")
try:
    host.call(b"submit", b"2")
except componentize_py_types.Err:
    pass
