"""Benchmarks: generated instances, AWARE-US, BeNYfits, throughput, serving, reports."""
