# ended
import inklings

try:
    inklings._call("fatal")
except BaseException:
    inklings.submit("caught")
finally:
    inklings.submit("finally")
