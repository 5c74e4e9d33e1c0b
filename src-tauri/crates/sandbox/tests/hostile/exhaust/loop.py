# out of CPU time
while True:
    pass
