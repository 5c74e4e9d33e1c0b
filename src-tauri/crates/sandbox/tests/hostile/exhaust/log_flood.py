# out of CPU time; memory 1024
while True:
    print("x" * 1000)
