# raises XXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
raise type("X" * 1_000_000, (Exception,), {})("named")
