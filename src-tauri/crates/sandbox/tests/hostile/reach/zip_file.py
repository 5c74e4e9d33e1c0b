# submits "held"
import inklings
import zipfile

try:
    zipfile.ZipFile("/usr/lib/python3.zip")
except OSError:
    inklings.submit("held")
