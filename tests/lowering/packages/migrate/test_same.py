"""A package before its migration and after it: the same numbers and the same places."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import CROUTON_TCM, FLAT_DDR, FLAT_TCM, Place
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import Packages, from_cpp
from htp_mlir.lowering.packages.migrate import migrate
from htp_mlir.runtime import Session, parse_module
from xdsl.dialects.builtin import ModuleOp

from ....support.roundtrip import to_text
from .by_hand import BODIES, FAST, MODEL, formula, read

LEVELS = ["native", "placed", "allocated"]


def packages(folder: Path) -> tuple[Packages, Packages]:
    """The package by hand and the migrated one, each beside htp."""
    migration = migrate(read(folder, FAST))
    assert migration.before.rules != migration.after.rules
    before, after = (
        Packages().extended(from_cpp(p, BODIES)) for p in (migration.before, migration.after)
    )
    return before, after


def places(module: ModuleOp) -> dict[str, list[Place]]:
    """The places of all tensors of the package's ops, without offsets."""
    return {
        op.name: [
            (spec_of(value).place or FLAT_DDR).unplaced() for value in (*op.operands, *op.results)
        ]
        for op in module.walk()
        if op.name.startswith("ByHand.")
    }


@pytest.mark.one_per
@pytest.mark.parametrize("level", LEVELS)
def test_numbers_are_the_same(level: str, tmp_path: Path) -> None:
    inputs = {
        name: np.random.default_rng(index).standard_normal((1, 9, 7, 40)).astype(np.float32)
        for index, name in enumerate("xyz")
    }
    outputs = []
    for loaded in packages(tmp_path):
        module = parse_module(MODEL, ctx=loaded.context())
        lowered = lower(module, packages=loaded, level=level)
        again = parse_module(to_text(lowered), ctx=loaded.context())
        assert again.is_structurally_equivalent(lowered)
        session = Session(again, check=True, library=loaded.library)
        outputs.append(session.run(inputs)["o"])
    before, after = outputs
    np.testing.assert_array_equal(before, after)
    np.testing.assert_allclose(after, formula(inputs), rtol=1e-5, atol=1e-6)


def test_places_are_the_same(tmp_path: Path) -> None:
    before, after = (
        lower(parse_module(MODEL, ctx=loaded.context()), packages=loaded, level="placed")
        for loaded in packages(tmp_path)
    )
    assert places(before) == places(after)
    assert places(after)["ByHand.Mixed"] == [CROUTON_TCM, FLAT_TCM, FLAT_DDR, FLAT_DDR]
    kinds = [
        [op.name for op in module.walk() if "vtcm" in op.name or "ForceFormat" in op.name]
        for module in (before, after)
    ]
    assert kinds[0] == kinds[1]
