"""A hook of pytest: what the collection of tests leaves behind is no garbage, and not searched."""

import gc
from collections.abc import Iterator

import pytest

OFTEN = 300_000
"""New objects between two searches; with Python's 700 a lowering takes a tenth longer."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Search for garbage only among what is made later.

    The libraries, and thousands of tests, live until the end; each search would go over them.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(OFTEN, 5, 5)
        gc.enable()
