"""Every graph op is in the core, decomposed into it, or refused with a reason."""

from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
from htp_mlir.dialects.htp import CORE_OF
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.runtime.kernels import NATIVE

from ..support.examples import example_of

CTX = installed().context()
STATE = {"StateRead", "StateWrite"}


@pytest.fixture(name="core")
def _core(generator: ModuleType) -> ModuleType:
    assert generator
    return import_module("core_ops")


def entry(core: ModuleType, op: str, **changes: str) -> Any:
    example = example_of(GRAPH_OPS[op])
    for old, new in changes.items():
        assert old in example
        example = example.replace(old, new)
    return core.core_entry(GRAPH_OPS[op], example, CTX)


@pytest.mark.slow
@pytest.mark.parametrize("op", GRAPH_OPS)
def test_every_graph_op_comes_down_to_ops_with_kernels_or_is_refused(
    core: ModuleType, op: str
) -> None:
    row = entry(core, op)
    assert (row.role is core.Role.REFUSED) is bool(row.refusal)
    native = {*row.becomes, *row.others} - STATE
    assert all(NATIVE.kernels(f"htp.{name}") for name in native)
    if row.role is core.Role.CORE and op != "Reshape":
        assert row.becomes == (CORE_OF.get(op, op),)


@pytest.mark.parametrize(
    ("op", "becomes", "others"),
    [
        ("Split", ("Slice_shape",), ()),
        (
            "Conv2d",
            ("ConvLayer_valid",),
            ("SlicePad_shape", "Slice_shape", "SpaceToDepth_shape", "Reshape", "Conv2d"),
        ),
        ("Buffer", ("StateRead", "BufferStep", "StateWrite"), ()),
        ("Reshape", (), ()),
    ],
)
def test_what_a_graph_op_becomes(
    core: ModuleType, op: str, becomes: tuple[str, ...], others: tuple[str, ...]
) -> None:
    row = entry(core, op)
    assert (row.becomes, row.others) == (becomes, others)
    assert row.role is (core.Role.CORE if op == "Reshape" else core.Role.DECOMPOSED)


def test_a_refused_op_has_reason_and_remedy(core: ModuleType) -> None:
    row = entry(core, "Buffer", NON_BLOCKING_LEFT="BLOCKING")
    assert (row.role, row.becomes) == (core.Role.REFUSED, ())
    assert "mode BLOCKING cannot run on HTP; use NON_BLOCKING_LEFT" in row.refusal
