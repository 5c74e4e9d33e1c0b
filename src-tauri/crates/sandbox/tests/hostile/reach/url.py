# submits "held"
import inklings
import urllib.request

try:
    urllib.request.urlopen("http://127.0.0.1/")
except OSError:
    inklings.submit("held")
