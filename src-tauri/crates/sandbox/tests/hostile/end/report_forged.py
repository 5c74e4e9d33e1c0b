# ends without a result
import report

report.uncaught = lambda error, name, files: {"how": "raised", "type": 5}
raise ValueError("never told")
