"""The script that writes the reference, as a module."""

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import pytest

from ..support.paths import ROOT


@pytest.fixture(scope="session", name="generator")
def _generator() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "docs")
        yield import_module("generate_reference")
