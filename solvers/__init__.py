"""Why nothing matches: kernels, mask histograms, conflicts and repairs."""
