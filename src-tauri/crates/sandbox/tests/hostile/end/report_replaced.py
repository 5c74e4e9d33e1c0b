# ends without a result
import report

report.uncaught = lambda error, name, files: None
raise ValueError("never told")
