"""Offsets, spills and fills: the numbers stay, whatever the size of the TCM."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.levels import bodies
from htp_mlir.lowering.passes.allocation.allocate import allocate_block
from htp_mlir.lowering.passes.allocation.certificate import certificate
from htp_mlir.lowering.passes.allocation.tcm import TCM_ALIGNMENT
from htp_mlir.runtime.memory_plan import verify
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from tests.support.faults import told

from ..kit import Model, assert_same, lowered, ops_of, run

SHAPE = (1, 8, 2, 32)
ONE = 2048
"""Bytes of one tensor of this shape."""


def moves(module: ModuleOp) -> list[Operation]:
    return [op for op in module.walk() if op.name in ("htp.Spill", "htp.Fill")]


def held_values(count: int) -> ModuleOp:
    """Makes `count` tensors, adds them all up, and then adds each to the sum once more."""
    model = Model(*SHAPE)
    values = [model.op("Add", model.op("Neg", model.x), model.const(n)) for n in range(count)]
    total, *rest = values
    for value in (*rest, *values):
        total = model.op("Add", total, value)
    return model.module(total)


@st.composite
def models(draw: st.DrawFn) -> ModuleOp:
    model = Model(*SHAPE)
    values = [model.x, model.const(1), model.const(2)]
    for _ in range(draw(st.integers(1, 10))):
        name = draw(st.sampled_from(["Relu", "Neg", "Add", "Abs"]))
        operands = [draw(st.sampled_from(values)) for _ in range(2 if name == "Add" else 1)]
        values.append(model.op(name, *operands))
    return model.module(values[-1], draw(st.sampled_from(values)))


@given(models(), st.sampled_from([3, 4, 5, 32]))
def test_any_model_gives_the_same_numbers_in_any_tcm_that_holds_one_op(
    module: ModuleOp, tensors: int
) -> None:
    allocated = lowered(module, tensors * ONE)
    assert verify(certificate(allocated), tensors * ONE, TCM_ALIGNMENT) == ()
    assert_same(run(module), run(allocated))


def test_no_tensor_leaves_where_all_fit() -> None:
    module = lowered(held_values(6), 64 * ONE)
    assert moves(module) == []
    assert all(row.offset >= 0 for row in certificate(module))


def test_tensors_that_never_meet_share_their_offset() -> None:
    model = Model(*SHAPE)
    value = model.x
    for _ in range(8):
        value = model.op("Neg", value)
    module = lowered(model.module(value), 64 * ONE)
    assert {row.offset for row in certificate(module)} == {0, ONE}


def test_the_tcm_is_halved_until_one_op_does_not_fit() -> None:
    model, size = held_values(8), 64 * ONE
    expected = run(model)
    while size >= 4 * ONE:
        assert_same(expected, run(lowered(model, size)))
        size //= 2
    with pytest.raises(HtpError) as error:
        lowered(model, size)
    assert told(str(error.value)) == [
        "%35 = htp.Add: needs 6144 bytes of TCM, there are 4096: "
        "'a' 2048, 'b' 2048, 'result 0' 2048",
        "  give tcm-bytes=6144 at least, no tile of its result of 1x8x2x32 takes less",
    ]


def test_the_op_that_does_not_fit_is_named_as_the_model_names_it() -> None:
    model = Model(*SHAPE)
    value = model.op("Add", model.op("Neg", model.x), model.op("Abs", model.x))
    value.owner.attributes["htp.name"] = StringAttr("block1/add")
    with pytest.raises(HtpError, match=r"htp\.Add 'block1/add': needs 4096 bytes of TCM"):
        lowered(model.module(value), ONE)


def test_a_failed_allocation_leaves_the_module_as_it_was() -> None:
    placed = lowered(held_values(3), 64 * ONE)
    before = placed.clone()
    for block in bodies(placed):
        with pytest.raises(HtpError):
            allocate_block(block, ONE, TCM_ALIGNMENT)
    assert placed.is_structurally_equivalent(before)


def test_every_spill_and_fill_says_why() -> None:
    module = lowered(held_values(8), 4 * ONE)
    assert "Spill" in ops_of(module)
    for op in moves(module):
        reason = op.attributes["reason"]
        assert isinstance(reason, StringAttr)
        assert "(2048 bytes)" in reason.data
        assert "; read next by " in reason.data


def test_what_came_from_main_memory_is_filled_from_there_and_never_spilled() -> None:
    model = Model(*SHAPE)
    consts = [model.const(n) for n in range(4)]
    total = model.op("Add", consts[0], consts[1])
    for const in (consts[2], consts[3], consts[0], consts[1]):
        total = model.op("Add", total, const)
    module = model.module(total)
    allocated = lowered(module, 3 * ONE)
    fills = [op for op in moves(allocated) if op.name == "htp.Fill"]
    assert fills
    assert all(op.operands[0].owner.name == "htp.Const" for op in fills)
    assert_same(run(module), run(allocated))
