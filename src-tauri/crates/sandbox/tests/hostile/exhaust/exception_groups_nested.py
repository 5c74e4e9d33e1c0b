# raises ExceptionGroup
error = ValueError("deep")
for _ in range(3000):
    error = ExceptionGroup("more", [error])
raise error
