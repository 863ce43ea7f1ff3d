"""Who wants what, how much: chat models, roles, weighters, simulators."""
