# submits "held"
import http.client
import inklings

try:
    http.client.HTTPConnection("127.0.0.1", params["tcp"], timeout=1).request("GET", "/")
except OSError:
    inklings.submit("held")
