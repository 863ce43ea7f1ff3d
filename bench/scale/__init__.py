"""CPU seconds a row for each statement and engine, and what follows for 10⁹ and 10¹⁰ rows."""
