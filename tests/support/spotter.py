"""The modules of the keyword spotter's folder, imported for as long as a test needs them."""

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType

from .paths import SPOTTER

_MODULES = tuple(path.stem for path in SPOTTER.glob("*.py"))


@contextmanager
def spotter_modules() -> Iterator[Callable[[str], ModuleType]]:
    """Import a module of the example's folder by name; forget all of them again afterwards."""
    sys.path.insert(0, str(SPOTTER))
    try:
        yield importlib.import_module
    finally:
        sys.path.remove(str(SPOTTER))
        for name in _MODULES:
            sys.modules.pop(name, None)
