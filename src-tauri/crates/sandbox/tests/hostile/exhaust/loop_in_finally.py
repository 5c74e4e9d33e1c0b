# out of CPU time
def again():
    try:
        return 1
    finally:
        again()


while True:
    try:
        again()
    except BaseException:
        continue
