# exits
import faulthandler

faulthandler._sigabrt()
