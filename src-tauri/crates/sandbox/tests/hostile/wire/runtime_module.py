# exits
# The lowest layer of all.
import componentize_py_runtime

componentize_py_runtime.call_import(99999, [])
