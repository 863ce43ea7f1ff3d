"""Snapshots: one immutable version of a catalog after another (MVCC)."""
