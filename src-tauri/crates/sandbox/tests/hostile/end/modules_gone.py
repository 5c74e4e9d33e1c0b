# raises ZeroDivisionError
import sys

sys.modules.clear()
1 / 0
