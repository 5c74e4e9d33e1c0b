# submits "held"
import inklings
import socket

try:
    socket.create_connection(("127.0.0.1", params["tcp"]), timeout=1)
except OSError:
    inklings.submit("held")
