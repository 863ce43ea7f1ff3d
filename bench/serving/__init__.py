"""The service under load: open-loop arrivals, a writer beside them, and every answer judged."""
