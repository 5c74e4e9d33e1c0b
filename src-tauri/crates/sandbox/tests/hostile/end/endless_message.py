# out of CPU time
class Endless(Exception):
    def __str__(self):
        while True:
            pass


raise Endless
