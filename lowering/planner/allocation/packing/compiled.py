"""The search as machine code, where numba is installed (the extra `planner`)."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from types import FunctionType
from typing import Any

import numpy as np

from . import search


@cache
def compiled_search() -> Any:
    """Compile `search.search_tuples` for arrays of 64-bit integers; None without numba.

    The first call on a machine compiles (about ten seconds) and keeps the result on disk. Only
    this one is kept: what stands on disk has the types of its arguments, and a class that has
    another name in the next version could not be read.
    """
    if find_spec("numba") is None:
        return None
    from numba import njit

    namespace = dict(vars(search))
    functions = [value for value in namespace.values() if isinstance(value, FunctionType)]
    for function in functions:
        same = FunctionType(function.__code__, namespace, function.__name__)
        namespace[function.__name__] = njit(cache=function is search.search_tuples)(same)
    return namespace["search_tuples"]


def zeros(*shape: int) -> Any:
    """Make an array where the search on lists has nested lists."""
    return np.zeros(shape, np.int64)


def packed(numbers: list[int]) -> Any:
    """Make an array of the numbers of a list."""
    return np.array(numbers, np.int64)
