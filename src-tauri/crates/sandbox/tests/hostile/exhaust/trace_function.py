# out of CPU time
import sys


def trace(frame, event, argument):
    while True:
        pass


sys.settrace(trace)
(lambda: None)()
