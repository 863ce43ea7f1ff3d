"""How well and how fast: benchmarks, metrics, recorded runs, reports."""
