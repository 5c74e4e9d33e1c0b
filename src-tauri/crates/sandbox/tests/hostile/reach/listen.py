# submits "held"
import inklings
import socket

try:
    peer = socket.socket()
    peer.bind(("127.0.0.1", 0))
    peer.listen()
except OSError:
    inklings.submit("held")
