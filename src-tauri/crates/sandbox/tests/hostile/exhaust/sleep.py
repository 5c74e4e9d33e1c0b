# out of time
import time

time.sleep(1e6)
