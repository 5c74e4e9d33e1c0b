# raises ValueError
raise ValueError("\ud800")
