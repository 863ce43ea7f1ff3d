"""Several processes that answer at one port: one of them writes, the others follow."""
