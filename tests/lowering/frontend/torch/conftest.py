"""Modules for PyTorch are tested where PyTorch is: `pip install 'htp-mlir[torch]'`."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def _one_thread() -> Iterator[None]:
    """The small products of these tests are slower on two threads, which wait in busy loops."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
