"""An op whose tensors and scratch do not fit the TCM stays in main memory."""

import numpy as np
import pytest
from htp_mlir.dialects.attributes import DEFAULT_PLACEMENT
from htp_mlir.lowering import load_module
from htp_mlir.lowering.packages import Packages, load_packages
from htp_mlir.lowering.passes.lower import Lower
from htp_mlir.runtime import Session
from xdsl.dialects.builtin import ModuleOp

from ....support.feeds import assert_same, feeds
from ....support.paths import ATTENTION
from ...frontend.models import floats
from ...packages.scratch_package import PACKAGE, damped
from ...packages.test_scratch import graph


def at_home(module: ModuleOp) -> list[str]:
    return [op.name for op in module.walk() if DEFAULT_PLACEMENT in op.attributes]


def without_tiling(module: ModuleOp, tcm_bytes: int, packages: Packages) -> ModuleOp:
    lowered = module.clone()
    Lower(tcm_bytes=tcm_bytes, tiling=False).apply(packages.context(), lowered)
    return lowered


@pytest.mark.parametrize(("tcm_bytes", "home"), [(98304, 0), (65536, 1)])
def test_an_op_stays_home_where_its_scratch_has_no_room(tcm_bytes: int, home: int) -> None:
    """Its tensors alone fit in both sizes; with scratch it needs 81,920 bytes."""
    packages = load_packages(ATTENTION / "package.py")
    module = load_module(ATTENTION / "model.mlir", packages=packages)
    lowered = without_tiling(module, tcm_bytes, packages)
    assert at_home(lowered) == ["AttentionPackage.ScaledDotProduct"] * home
    before = Session(module)
    after = Session(lowered, check=True, library=packages.library)
    assert_same(after.run(feeds(before)), before.run(feeds(before)))


@pytest.mark.parametrize("tcm_bytes", [5400, 6143, 6144])
def test_scratch_begins_at_a_chunk_too(tcm_bytes: int) -> None:
    """Two tensors and scratch of 420 bytes each take 6,144 bytes where each begins at a chunk."""
    packages = Packages().extended(PACKAGE)
    lowered = without_tiling(graph((1, 3, 5, 7)), tcm_bytes, packages)
    x = floats(1, 3, 5, 7)
    outputs = Session(lowered, check=True, library=packages.library).run({"x": x})
    np.testing.assert_array_equal(outputs["y"], damped(x))
