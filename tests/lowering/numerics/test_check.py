"""The pass, firing and op that change the numbers: faults of each kind, and what is no fault."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.ops.const import const
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, build
from htp_mlir.dialects.qti_aisw.ops.const import const as graph_const
from htp_mlir.dialects.spec_of import Array, spec_of
from htp_mlir.lowering.passes.lower import Lower
from htp_mlir.lowering.tools import htp
from htp_mlir.runtime import parse_module
from htp_mlir.runtime.passes import run_pass
from xdsl.context import Context
from xdsl.dialects.builtin import Float16Type, Float32Type, ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from tests.support.paths import SPOTTER_MODEL

from .kit import CHAIN, change, check, fault


def swap(name: str) -> Callable[[Operation], None]:
    """Replace an op by another of one operand."""

    def work(op: Operation) -> None:
        new = GRAPH_OPS[name].create(
            operands=op.operands, result_types=[op.results[0].type], attributes=op.attributes
        )
        assert op.parent is not None
        op.parent.insert_op_before(new, op)
        op.results[0].replace_all_uses_with(new.results[0])
        op.detach()

    return work


def test_a_wrong_pass_of_the_users_is_named_with_its_op(tmp_path: Path) -> None:
    where, command = fault(tmp_path, [Lower(level="graph"), change("qti_aisw.Tanh", swap("Relu"))])
    assert where.startswith("pass change: qti_aisw.Relu 'second' differs by ")
    assert "of 1x1x2x8: " in where
    assert "; output 'y' then by " in where
    assert command == (
        f"repeat it: htp compare {tmp_path}/after.mlir {tmp_path}/before.mlir "
        f"-i {tmp_path}/inputs.npz"
    )


def test_the_small_modules_hold_the_op_alone_and_show_it(tmp_path: Path) -> None:
    _, command = fault(tmp_path, [change("qti_aisw.Tanh", swap("Relu"))])
    modules = [(tmp_path / f"{name}.mlir").read_text() for name in ("before", "after")]
    names = [[op.name for op in parse_module(text).walk()][2:-1] for text in modules]
    assert names == [["qti_aisw.Tanh"], ["qti_aisw.Relu"]]
    status, out, err = htp.run(command.split()[3:])
    assert status == 1
    assert out.splitlines()[1].startswith("differs  ")
    assert "the worst 'value' by " in err


def test_a_pass_inside_another_is_named_by_its_path(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Outer(ModulePass):
        name = "outer"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            run_pass(ctx, op, Lower(level="native"))
            run_pass(ctx, op, change("htp.Tanh", retarget))

    def retarget(op: Operation) -> None:
        op.results[0].replace_all_uses_with(op.operands[0])

    where, _ = fault(tmp_path, [Outer()])
    assert where.startswith("pass outer > change: <text>:6:3: htp.Sigmoid ")
    assert "'third' (kernel " in where


def through_f16(op: Operation) -> None:
    """Round an op's result to f16 and back."""
    value, block = op.results[0], op.parent
    down = build(GRAPH_OPS["Cast"], [value], {"to": Float16Type()})
    up = build(GRAPH_OPS["Cast"], [down.results[0]], {"to": Float32Type()})
    assert block is not None
    value.replace_uses_with_if(up.results[0], lambda use: use.operation is not down)
    block.insert_ops_after([down, up], op)


def test_rounding_to_f16_is_no_fault(tmp_path: Path) -> None:
    numerics = check(tmp_path, [change("qti_aisw.Tanh", through_f16), Lower()])
    assert numerics.tally.passes > 10
    assert 0 < numerics.tally.worst < 1
    with pytest.raises(HtpError, match=r"differs by .*; allowed is .*e-0[78]"):
        check(tmp_path, [change("qti_aisw.Tanh", through_f16)], tolerance=1e-7)


def never_reset(op: Operation) -> None:
    """Take the reset off all states."""
    constant = const(np.zeros((1, 1, 1, 1), bool), spec_of(op.operands[1]))
    assert op.parent is not None
    op.parent.insert_op_before(constant, op)
    for read in (each for each in op.parent.ops if each.name == op.name):
        read.operands[1] = constant.out


GRU = """
func.func @main(%x: tensor<1x1x4xf32> {htp.name = "x"}, %r: tensor<i1> {htp.name = "r"})
    -> (tensor<2x1x4xf32> {htp.name = "y"}) {
  %0 = qti_aisw.Buffer(%x, reset = %r) {buffer_dim = 0 : i64, buffer_size = 2 : i64,
    mode = #qti_aisw.buffer_mode<NON_BLOCKING_LEFT>}
    : (tensor<1x1x4xf32>, tensor<i1>) -> tensor<2x1x4xf32>
  func.return %0 : tensor<2x1x4xf32>
}
"""


def test_states_are_carried_over_inferences_and_reset(tmp_path: Path) -> None:
    lowered = Lower(level="native")
    assert check(tmp_path, [lowered], GRU).summary().endswith("of what is allowed")
    where, command = fault(tmp_path, [lowered, change("htp.StateRead", never_reset)], GRU)
    assert "at inference 2" in where
    assert command.endswith(".npz")
    status, out, _ = htp.run(command.split()[3:])
    assert status == 1
    assert "differs" in out


def test_a_module_between_passes_that_cannot_run_is_passed_over(tmp_path: Path) -> None:
    state: list[Operation] = []

    @dataclass(frozen=True)
    class Drop(ModulePass):
        name = "drop"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            block = next(iter(op.ops)).regions[0].block
            last = block.last_op
            assert last is not None
            state.append(last)
            last.detach()

    @dataclass(frozen=True)
    class Restore(ModulePass):
        name = "restore"

        wrong: bool

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            block = next(iter(op.ops)).regions[0].block
            last = state.pop()
            if self.wrong:
                last.operands[0] = block.args[0]
            block.add_op(last)

    summary = check(tmp_path, [Drop(), Restore(False)]).summary()
    assert "behind 1 pass, over" in summary
    assert summary.endswith("; not run: drop")
    where, _ = fault(tmp_path, [Drop(), Restore(True)])
    assert "pass restore{wrong=true} (or before it, where the module cannot run: drop): " in where


@pytest.mark.slow
def test_a_whole_model_agrees(tmp_path: Path) -> None:
    flags = ["-p", "htp-lower", "-o", str(tmp_path / "out.mlir")]
    status, _, err = htp.run(["numerics", str(SPOTTER_MODEL), *flags])
    assert status == 0
    assert "over 4 inferences; the largest error is 0.0" in err


def test_inputs_of_a_file_are_one_inference_or_several(tmp_path: Path) -> None:
    (tmp_path / "model.mlir").write_text(CHAIN)
    x: Array = np.ones((1, 1, 2, 8), np.float32)
    for count, arrays in (("1 inference;", x), ("3 inferences;", np.stack([x] * 3))):
        np.savez(tmp_path / "x.npz", x=arrays)
        words = ["numerics", str(tmp_path / "model.mlir"), "-p", "htp-lower", "-i"]
        assert f"over {count}" in htp.run([*words, str(tmp_path / "x.npz")]).out
    np.savez(tmp_path / "x.npz", x=np.ones((0, 1, 1, 2, 8), np.float32))
    err = htp.run([*words, str(tmp_path / "x.npz")]).err
    assert err.splitlines()[0] == "stream: holds no inference"


def test_a_check_that_compared_nothing_is_an_error(tmp_path: Path) -> None:
    outcome = htp.run(["numerics", "-", "-p", " "], "func.func @main() { func.return }")
    assert outcome.err.startswith("htp numerics: no number was compared: no pass ran\n")
    assert outcome.status == 1


def test_an_output_that_goes_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(HtpError, match="output 'y': is 4x4, and was 1x1x2x8"):
        check(tmp_path, [change("func.return", reshaped)])


def reshaped(op: Operation) -> None:
    zeros = graph_const(np.zeros((4, 4), np.float32), spec_of(op.operands[0]).with_shape((4, 4)))
    assert op.parent is not None
    op.parent.insert_op_before(zeros, op)
    op.operands[0] = zeros.out
