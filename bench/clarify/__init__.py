"""How well unclear spots of requests are noticed, and clear requests left alone."""
