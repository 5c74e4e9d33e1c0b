# submits "held"
import inklings
import socket

try:
    socket.getaddrinfo("localhost", 80)
except OSError:
    inklings.submit("held")
