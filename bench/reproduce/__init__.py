"""All five documents at work: every benchmark, and each printed figure beside what came out."""
