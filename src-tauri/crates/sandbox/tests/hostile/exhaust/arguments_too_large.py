# raises ValueError
import inklings

inklings.llm_query("x" * 9_000_000)
