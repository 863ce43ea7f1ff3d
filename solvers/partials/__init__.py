"""Mask histograms counted a partition at a time, stored, and added up."""
