# raises HostError
import inklings

inklings.submit(1)
inklings.submit(2)
