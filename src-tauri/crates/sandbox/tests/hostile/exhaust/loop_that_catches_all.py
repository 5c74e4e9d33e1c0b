# out of CPU time
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
