# raises Sly
class Sly(Exception):
    def __str__(self):
        raise SystemExit(0)


raise Sly
