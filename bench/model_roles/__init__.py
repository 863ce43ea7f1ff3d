"""The benchmarks with their roles on a language model: runs, what they cost, what came out."""
