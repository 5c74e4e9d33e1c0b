# syntax 3:9
def f():
    x = = 1
