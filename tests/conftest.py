"""The hooks of the test suite, and settings of what tests use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from .support.distributions import Distributions

# Read when numpy is loaded, so before the imports that do. Threads wait for each other in busy
# loops: beside other work the small products of these tests take ten times as long on two.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from .support.hooks import budget, garbage, guard, needs, tiers

HOOKS = (tiers, needs, guard, budget, garbage)
"""The modules of hooks; those that stand later are called first."""

settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("shared"), max_examples=25)
settings.load_profile("shared")


def pytest_addoption(pluginmanager: pytest.PytestPluginManager) -> None:
    """Make the hooks known while flags can still be added."""
    for module in HOOKS:
        pluginmanager.register(module)


def pytest_configure(config: pytest.Config) -> None:
    """Draw fewer examples in the quick tier, where a test states no number of its own."""
    if config.option.markexpr == tiers.QUICK:
        settings.load_profile("quick")


@pytest.fixture
def distributions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Distributions]:
    """A folder of installed distributions, which are gone after the test."""
    from .support.distributions import Distributions

    folder = tmp_path / "installed"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    installed = Distributions(folder, monkeypatch)
    yield installed
    installed.forget()


@pytest.fixture(autouse=True, scope="session")
def _built_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what tests compile in a folder of the run, made by the compiler that `needs` names.

    The processes of a run have folders in one, and share it.
    """
    base = tmp_path_factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(run / "cache"))
        patch.setenv("CXX", "g++")
        yield
