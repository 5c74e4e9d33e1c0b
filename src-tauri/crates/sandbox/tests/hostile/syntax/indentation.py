# syntax 3:1
if True:
x = 1
