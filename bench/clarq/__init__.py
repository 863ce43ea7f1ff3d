"""ClarQ-LLM: asking what is unclear, with a provider that tells only what it is asked."""
