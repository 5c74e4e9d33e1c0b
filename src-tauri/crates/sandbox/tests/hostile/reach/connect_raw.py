# submits "held"
import inklings
import socket

try:
    socket.socket(socket.AF_INET, socket.SOCK_STREAM).connect(("127.0.0.1", params["tcp"]))
except OSError:
    inklings.submit("held")
