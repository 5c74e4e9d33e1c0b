# raises HostError
import runner

runner.run("inner.py", "import inklings\ninklings.submit('inner')", {})
import inklings

inklings.submit("outer")
