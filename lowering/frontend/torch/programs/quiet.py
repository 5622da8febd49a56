"""Silence where PyTorch's exporters speak of their own affairs."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_LOGGERS = ("torch.export", "torch.onnx", "torch._subclasses.fake_tensor")


@contextmanager
def quiet() -> Iterator[None]:
    """Drop the warnings and the log of PyTorch's exporters; errors are raised all the same."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
