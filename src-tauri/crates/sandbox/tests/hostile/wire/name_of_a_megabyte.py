# raises Err
from wit_world.imports import host

host.call(b"x" * 1_000_000, b"{}")
