"""The hooks of the quick tier, and settings of what tests use."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Read when numpy is loaded, so before the imports that do. Threads wait for each other in busy
# loops: beside other work the small products of these tests take ten times as long on two.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from .support.tiers import pytest_collection_modifyitems as pytest_collection_modifyitems
from .support.tiers import pytest_generate_tests as pytest_generate_tests

settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared")
