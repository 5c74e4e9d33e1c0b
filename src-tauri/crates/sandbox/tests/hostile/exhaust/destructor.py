# out of CPU time
class Stubborn:
    def __del__(self):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass


Stubborn()
