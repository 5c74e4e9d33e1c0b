# submits "held"
import inklings
import urllib.request

try:
    urllib.request.urlopen("file:///etc/passwd")
except OSError:
    inklings.submit("held")
