# raises Err
from wit_world.imports import host

host.call(b"\xff\x00get_page", b"{}")
