# raises Err
from wit_world.imports import host

host.call(b"submit", b"{\xff")
