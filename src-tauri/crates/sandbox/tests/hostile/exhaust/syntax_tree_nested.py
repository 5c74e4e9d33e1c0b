# out of memory
import ast

ast.parse("-" * 200_000 + "1")
