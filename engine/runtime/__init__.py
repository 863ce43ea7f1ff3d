"""Running the engine in a service: threads, interrupts, observers, logs."""
