# submits "held"
import inklings

try:
    import sqlite3
    sqlite3.connect(params["folder"] + "/escape.db")
except (ImportError, Exception):
    inklings.submit("held")
