"""Execution order in the IR: tile by tile, states read before they are written."""

from htp_mlir.lowering.levels import bodies
from htp_mlir.lowering.passes.allocation.schedule import schedule_block, tasks_of
from htp_mlir.lowering.passes.allocation.tcm import TCM_ALIGNMENT
from htp_mlir.lowering.passes.checks.check_level import check_dominance
from htp_mlir.lowering.passes.placement.assign_places import assign_places, realise_places
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp

from ....support.roundtrip import parse
from ..kit import Model, assert_same, ops_of, placer, run

SHAPE = (1, 8, 2, 32)


def scheduled(module: ModuleOp, tcm_bytes: int = 1 << 20) -> ModuleOp:
    for block in bodies(module):
        schedule_block(block, tcm_bytes, TCM_ALIGNMENT)
    check_dominance(module)
    return module


def placed(model: ModuleOp) -> ModuleOp:
    assign_places(model, placer())
    realise_places(model, placer().budget)
    return model


def test_one_branch_is_finished_before_the_next_begins() -> None:
    model = Model(*SHAPE)
    first = [model.op("Neg", model.const(n)) for n in range(3)]
    second = [model.op("Abs", value) for value in first]
    module = placed(model.module(*second))
    before = run(module)
    branch = ["flat_to_vtcm", "Neg", "Abs"]
    assert ops_of(module) != branch * 3
    assert ops_of(scheduled(module)) == branch * 3
    assert_same(before, run(module))


def test_an_order_that_is_no_worse_stays() -> None:
    model = Model(*SHAPE)
    module = placed(model.module(model.op("Neg", model.op("Neg", model.x))))
    before = module.clone()
    assert scheduled(module).is_structurally_equivalent(before)


def test_the_return_stays_last() -> None:
    model = Model(*SHAPE)
    values = [model.op("Neg", model.const(n)) for n in range(3)]
    module = scheduled(placed(model.module(*[model.op("Abs", value) for value in values])))
    (block,) = bodies(module)
    assert isinstance(block.last_op, ReturnOp)
    assert sum(isinstance(op, ReturnOp) for op in block.ops) == 1


def test_a_state_is_read_before_it_is_written() -> None:
    """The write comes first in the way of the returned value, and must wait for the read."""
    flat = "#htp.place<flat, ddr>"
    tcm = "#htp.place<flat, tcm>"
    t, u, one = f"tensor<1x1x1x4xf32, {flat}>", f"tensor<1x1x1x4xf32, {tcm}>", "tensor<1x1x1x1xi1"
    module = parse(f"""
      htp.State @h : tensor<1x1x1x4xf32>
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
        %0 = htp.Reshape(%x) : (tensor<4xf32>) -> {t}
        %reset = htp.Const dense<false> : {one}> -> {one}, {flat}>
        %init = htp.Const dense<0.0> : tensor<1x1x1x4xf32> -> {t}
        %old = htp.StateRead @h, %init, %reset : {t}, {one}, {flat}> -> {t}
        %a = htp.flat_to_vtcm(%0) : ({t}) -> {u}
        %b = htp.Neg(%a) : ({u}) -> {u}
        %c = htp.flat_to_vtcm(%old) : ({t}) -> {u}
        %d = htp.flat_from_vtcm(%b) : ({u}) -> {t}
        htp.StateWrite @h, %d : {t}
        %e = htp.flat_from_vtcm(%c) : ({u}) -> {t}
        %y = htp.Reshape(%e) : ({t}) -> tensor<4xf32>
        func.return %y : tensor<4xf32>
      }}""")
    names = ops_of(scheduled(module))
    assert names.index("StateRead") < names.index("StateWrite")


def test_which_op_overwrites_an_operand_is_left_to_the_order() -> None:
    t, u = (f"tensor<1x1x64x32xf32, #htp.place<flat, {memory}>>" for memory in ("ddr", "tcm"))
    module = parse(f"""
      func.func @main(%x: tensor<1x1x64x32xf32>) -> tensor<1x1x64x32xf32> {{
        %0 = htp.Reshape(%x) : (tensor<1x1x64x32xf32>) -> {t}
        %a = htp.flat_to_vtcm(%0) : ({t}) -> {u}
        %b = htp.Neg(%a) : ({u}) -> {u}
        %c = htp.Abs(%a) : ({u}) -> {u}
        %d = htp.Add(%b, %c) : ({u}, {u}) -> {u}
        %e = htp.flat_from_vtcm(%d) : ({u}) -> {t}
        %y = htp.Reshape(%e) : ({t}) -> tensor<1x1x64x32xf32>
        func.return %y : tensor<1x1x64x32xf32>
      }}""")
    (block,) = bodies(module)
    tasks = {op.name: task for op, task in zip(block.ops, tasks_of([*block.ops]), strict=True)}
    (copied,) = tasks["htp.flat_to_vtcm"].writes
    assert tasks["htp.Neg"].onto == tasks["htp.Abs"].onto == (copied.name,)
