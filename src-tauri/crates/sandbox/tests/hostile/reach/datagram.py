# submits "held"
import inklings
import socket

try:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", params["udp"]))
except OSError:
    inklings.submit("held")
