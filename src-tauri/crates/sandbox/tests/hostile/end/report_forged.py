# ends without a result
import report

report.uncaught = lambda error, name: {"how": "raised", "type": 5}
raise ValueError("never told")
