"""The search as machine code, where numba is installed (the extra `planner`)."""

from functools import cache
from importlib.util import find_spec
from types import FunctionType
from typing import Any

import numpy as np

from . import search


def compiled_search() -> Any:
    """Compile `search.search_tuples` for arrays of 64-bit integers; None without numba.

    The first call on a machine compiles (about ten seconds) and keeps the result on disk. Only
    this one is kept: what stands on disk has the types of its arguments, and a class that has
    another name in the next version could not be read.
    """
    return None if find_spec("numba") is None else _search


def _search(*arguments: Any) -> Any:
    """Run the search that is kept on disk; where the disk fails, one that is compiled anew."""
    try:
        return machine_code(keep=True)(*arguments)
    except Exception:
        # The folder takes no files, or holds a damaged one: reading that may raise anything.
        return machine_code(keep=False)(*arguments)


@cache
def machine_code(keep: bool) -> Any:
    """Make the function that compiles the search at its first call, and can keep it on disk."""
    from numba import njit

    namespace = dict(vars(search))
    functions = [value for value in namespace.values() if isinstance(value, FunctionType)]
    for function in functions:
        same = FunctionType(function.__code__, namespace, function.__name__)
        kept = keep and function is search.search_tuples
        namespace[function.__name__] = njit(cache=kept)(same)
    return namespace["search_tuples"]


def zeros(*shape: int) -> Any:
    """Make an array where the search on lists has nested lists."""
    return np.zeros(shape, np.int64)


def packed(numbers: list[int]) -> Any:
    """Make an array of the numbers of a list."""
    return np.array(numbers, np.int64)
