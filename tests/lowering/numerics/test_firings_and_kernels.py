"""The firing of a rule that changes the numbers, and kernels that do."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from htp_mlir.lowering.numerics.check import first_firing
from htp_mlir.lowering.rules import EARLY, OK, Op, rule, rules, run_rules
from htp_mlir.lowering.tools import htp
from htp_mlir.runtime import parse_module
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .kit import CHAIN, fault

WRONG_PACKAGE = Path(__file__).parent / "wrong_package.py"


def test_the_firing_is_found_among_right_ones(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Mine(ModulePass):
        name = "mine"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            right = [rule(EARLY, Op("Neg", Op("Neg", "X")), OK, "X", name="right")]
            wrong = [rule(EARLY, Op("Abs", "X"), OK, Op("Relu", "X"), name="wrong")]
            run_rules(op, rules(*right, *wrong))

    ops = ["Neg"] * 6 + ["Relu", "Neg"] + ["Abs"] + ["Neg"] * 4
    lines = [
        f"%{n + 1} = htp.{op}(%{n}) : (tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>"
        for n, op in enumerate(ops)
    ]
    text = (
        "func.func @main(%x: tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32> {\n"
        "%0 = htp.Reshape(%x) : (tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>\n"
        + "\n".join(lines)
        + f"\nfunc.return %{len(ops)} : tensor<1x1x2x8xf32>\n}}"
    )
    where, _ = fault(tmp_path, [Mine()], text)
    assert where.startswith(
        "pass mine, group EARLY, firing 4 at htp.Abs from <text>:11:1 of rule wrong ("
    )
    assert "htp.Relu (kernel " in where


@pytest.mark.slow
@pytest.mark.parametrize(("wrong", "number"), [((3, 9, 70), 4), ((90,), 91)])
def test_the_first_firing_of_many(wrong: Sequence[int], number: int) -> None:
    @dataclass(frozen=True)
    class Mine(ModulePass):
        name = "mine"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            right = rule(EARLY, Op("Neg", "X"), OK, Op("Abs", "X"), name="right")
            run_rules(op, rules(right))

    def judge(module: ModuleOp) -> bool | None:
        names = [op.name for op in module.walk() if op.name in ("htp.Neg", "htp.Abs")]
        return (
            None if names[1] == "htp.Abs" != names[2] else all(names[i] == "htp.Neg" for i in wrong)
        )

    lines = ["%0 = htp.Reshape(%x) : (tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>"] + [
        f"%{n + 1} = htp.Neg(%{n}) : (tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>"
        for n in range(100)
    ]
    text = "func.func @main(%x: tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32> {\n"
    end = "\nfunc.return %100 : tensor<1x1x2x8xf32>\n}"
    firing = first_firing(
        Context(), Mine(), parse_module(text + "\n".join(lines) + end), 0, 100, judge
    )
    assert firing is not None
    assert (firing.number, firing.root, firing.others) == (
        number,
        f"htp.Neg from <text>:{number + 2}:1",
        [],
    )


def test_a_wrong_kernel_is_named(tmp_path: Path) -> None:
    (tmp_path / "model.mlir").write_text(CHAIN)
    flags = ["--package", str(WRONG_PACKAGE), "--numerics-dir", str(tmp_path / "out")]
    outcome = htp.run(["numerics", str(tmp_path / "model.mlir"), "-p", "htp-lower", *flags])
    assert outcome.status == 1
    assert outcome.err.startswith(
        f"pass htp-lower > convert-qti-aisw-to-htp: {tmp_path / 'model.mlir'}:6:3: htp."
    )
    assert ": htp.Sigmoid 'third' (kernel too_low) differs by 0.01 at " in outcome.err
    again = htp.run(outcome.err.splitlines()[1].split()[3:])
    assert again.status == 1
    assert f"--package {WRONG_PACKAGE}" in outcome.err


TCM_PACKAGE = """
import numpy as np
from htp_mlir.lowering.packages import op_package
from htp_mlir.runtime import Cost, KernelSet, PlainFloatTensor_TCM

KERNELS = KernelSet("htp")

@KERNELS.kernel("Tanh", cost=Cost.FREE)
def off_by_one(out: PlainFloatTensor_TCM, x: PlainFloatTensor_TCM) -> None:
    np.tanh(x.array, out=out.array)
    out.array[...] += 1

PACKAGE = op_package("Late", kernels=[KERNELS])
"""


def test_a_kernel_for_tensors_in_tcm_is_shown_on_constants(tmp_path: Path) -> None:
    (tmp_path / "model.mlir").write_text(CHAIN)
    (tmp_path / "late.py").write_text(TCM_PACKAGE)
    flags = ["--package", str(tmp_path / "late.py"), "--numerics-dir", str(tmp_path / "out")]
    outcome = htp.run(["numerics", str(tmp_path / "model.mlir"), "-p", "htp-lower", *flags])
    assert outcome.status == 1
    assert "htp-lower > htp-assign-places: " in outcome.err
    assert "htp.Tanh 'second' (kernel off_by_one) differs by 1 at " in outcome.err
    after = parse_module((tmp_path / "out" / "after.mlir").read_text())
    assert [op.name for op in after.walk()][2:] == ["htp.Const", "htp.Tanh", "func.return"]
    status, out, _ = htp.run(outcome.err.splitlines()[1].split()[3:])
    assert status == 1
    assert out.splitlines()[1].startswith("differs  1 ")
