# ends without a result
import report

report.uncaught = lambda error, name: None
raise ValueError("never told")
