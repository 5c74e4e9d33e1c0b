# submits "held"
import inklings

try:
    import sqlite3
    sqlite3.connect("/tmp/inklings-escape.db")
except (ImportError, Exception):
    inklings.submit("held")
