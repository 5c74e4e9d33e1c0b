# submits "PermissionError"
import inklings

try:
    inklings._call("denied")
except PermissionError as error:
    inklings.submit(type(error).__name__)
