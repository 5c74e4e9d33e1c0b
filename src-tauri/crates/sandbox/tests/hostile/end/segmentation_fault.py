# exits
import faulthandler

faulthandler._sigsegv()
