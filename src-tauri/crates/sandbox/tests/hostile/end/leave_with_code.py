# exits with 3
import sys

sys.exit(3)
