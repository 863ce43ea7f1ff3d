"""All five documents at work: every benchmark run, and every printed figure beside what came out."""
