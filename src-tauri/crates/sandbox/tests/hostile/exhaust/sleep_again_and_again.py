# out of time
import time

while True:
    try:
        time.sleep(0.05)
    except BaseException:
        pass
