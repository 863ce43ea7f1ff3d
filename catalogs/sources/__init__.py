"""Files, frames and relations read into rows."""
