"""AWARE-US: its instances and recorded runs, its metrics, and our engine and dialogue on both.

Source: AWARE-US, section 5 and appendix E; the README of its data.
"""
