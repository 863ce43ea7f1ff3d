"""Fits weights of hashed features by stochastic gradients (Adagrad).

`pace` is the rate of learning and the decay of weights. Features come as positions in the table of
weights, one array for all examples and where each example begins. A pass costs the number of
features times the outputs.
"""

# pyright: basic

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=False)
def fit_labels(rows, begins, labels, weights, squares, order, pace):
    """One pass of independent logistic outputs: `labels` is `(examples, outputs)` of 0 and 1."""
    outputs = weights.shape[1]
    rate, decay = pace
    scores = np.empty(outputs)
    for example in order:
        features = rows[begins[example] : begins[example + 1]]
        scores[:] = 0.0
        for row in features:
            scores += weights[row]
        for output in range(outputs):
            error = 1.0 / (1.0 + np.exp(-scores[output])) - labels[example, output]
            if abs(error) > 1e-3:
                for row in features:
                    step = error + decay * weights[row, output]
                    squares[row, output] += step * step
                    weights[row, output] -= rate * step / np.sqrt(squares[row, output])


@njit(cache=False)
def fit_choices(rows, begins, groups, right, weights, squares, order, pace):
    """One pass of choices: the options of a group compete, and any right one is as good.

    Group `g` has options `groups[g]` to `groups[g + 1]`.
    """
    rate, decay = pace
    for group in order:
        first, last = groups[group], groups[group + 1]
        count = last - first
        scores = np.zeros(count)
        for option in range(count):
            for row in rows[begins[first + option] : begins[first + option + 1]]:
                scores[option] += weights[row]
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        good = 0.0
        for option in range(count):
            if right[first + option]:
                good += chances[option]
        for option in range(count):
            target = chances[option] / max(good, 1e-12) if right[first + option] else 0.0
            error = chances[option] - target
            if abs(error) > 1e-3:
                for row in rows[begins[first + option] : begins[first + option + 1]]:
                    step = error + decay * weights[row]
                    squares[row] += step * step
                    weights[row] -= rate * step / np.sqrt(squares[row])
