# submits "held"
import inklings
import urllib.request

try:
    urllib.request.urlopen(f"http://127.0.0.1:{params['tcp']}/", timeout=1)
except OSError:
    inklings.submit("held")
