"""No op of a graph runs from main memory for want of a kernel in TCM."""

from __future__ import annotations

import pytest

from .main_memory import rows


@pytest.mark.slow
def test_nothing_that_fits_runs_from_main_memory() -> None:
    assert list(rows()) == []
