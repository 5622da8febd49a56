"""The example package whose own C++ runs: its page, and its numbers here and on Hexagon."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.packages import load_packages
from htp_mlir.runtime import Session

from ....docs.code_blocks import run_page
from ....support.paths import EXAMPLES

FOLDER = EXAMPLES / "hard_swish_package"
Q = np.random.default_rng(0).integers(0, 256, (1, 28, 28, 96)).astype(np.uint8)


@pytest.mark.needs("g++")
@pytest.mark.slow
def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    run_page(FOLDER / "README.md", tmp_path)


ON_HEXAGON = [pytest.mark.needs("clang", "lld", "qemu-hexagon"), pytest.mark.slow]


@pytest.mark.needs("g++")
@pytest.mark.one_per("hexagon")
@pytest.mark.parametrize("hexagon", [False, pytest.param(True, marks=ON_HEXAGON)])
@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
def test_it_gives_the_numbers_of_numpy(level: str, hexagon: bool) -> None:
    packages = load_packages(FOLDER / "package.cpp", build=True, hexagon=hexagon)
    module = load_module(FOLDER / "model.mlir", packages=packages)
    lowered = lower(module, packages=packages, level=level)
    assert sum(op.name == "HardSwishPackage.HardSwish" for op in lowered.walk()) == 3
    x = (Q - np.float64(128)) * 0.05
    expected = np.rint(x * np.clip(x + 3, 0, 6) / 6 / 0.029) + 13
    result = Session(lowered, check=True, library=packages.library).run({"x": Q})["y"]
    np.testing.assert_array_equal(result, expected)
