# raises RecursionError
def deeper():
    deeper()


deeper()
