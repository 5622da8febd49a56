"""No op of a graph runs from main memory for want of a kernel in TCM."""

import pytest

from .main_memory import DTYPES, rows


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize("dtype", DTYPES)
def test_nothing_that_fits_runs_from_main_memory(dtype: str) -> None:
    assert list(rows([dtype])) == []
