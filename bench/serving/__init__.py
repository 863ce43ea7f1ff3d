"""The service under load: open-loop arrivals, a writer beside them, every answer checked."""
