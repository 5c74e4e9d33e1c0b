# exits
from wit_world.imports import host

host.call(5, {"not": "bytes"})
