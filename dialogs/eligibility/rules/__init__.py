"""Read rules in plain English without a model: headings, lists and sentences become checkers.

What is a comparison of a known form (an age, an income, a number of something) is typed; every
other requirement becomes a yes or no with its sentence for a question. Lists hold together
unless their lead says "one of"; "not", "unless" and "if" are followed.
"""
