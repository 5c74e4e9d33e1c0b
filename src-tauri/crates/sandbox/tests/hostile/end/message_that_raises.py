# raises Mute
class Mute(Exception):
    def __str__(self):
        raise ValueError


raise Mute
