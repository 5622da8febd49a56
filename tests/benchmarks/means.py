"""Means of ratios."""

from collections.abc import Sequence
from math import exp, log


def geometric_mean(values: Sequence[float]) -> float:
    """The geometric mean of ratios; not a number for none."""
    return exp(sum(map(log, values)) / len(values)) if values else float("nan")
