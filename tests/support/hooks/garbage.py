"""A hook of pytest: what the collection of tests leaves behind is no garbage, and not searched."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


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
        gc.enable()
