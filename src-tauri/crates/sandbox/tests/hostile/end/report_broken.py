# exits
import report

report.uncaught = None
raise ValueError("never told")
