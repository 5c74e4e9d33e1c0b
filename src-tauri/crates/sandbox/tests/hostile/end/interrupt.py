# raises KeyboardInterrupt
raise KeyboardInterrupt
