"""Params that are axes: declared in Python and in C++, checked at load, moved to rank 4."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.fields import param_def, tensor_def
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import (
    OpPackage,
    Packages,
    from_cpp,
    op_package,
)
from htp_mlir.lowering.packages.def_package import CppPackage, load_cpp, write_cpp
from htp_mlir.lowering.rules import Param, param_order
from htp_mlir.lowering.rules.graph.param_order import is_axis, shifted_axis
from htp_mlir.runtime import KernelSet, Session, parse_module
from htp_mlir.runtime.tensors.tensors import Tensor


class Flip(NativeOp):
    """out = in with some dims turned around."""

    name = "AxisPkg.Flip"

    in_ = tensor_def()
    axis = tensor_def()
    order = tensor_def()


class Turn(NativeOp):
    """out = in with the dims turned around that axis names."""

    name = "AxisPkg.Turn"

    in_ = tensor_def()
    axis = param_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        return (self.computed(self.like("in")),)


KERNELS = KernelSet("AxisPkg")


@KERNELS.kernel("Turn")
def turn(out: Tensor, in_: Tensor, axis: Tensor) -> None:
    out.store(np.flip(in_.load(), tuple(axis.load().reshape(-1).astype(int))))


Axes = int | tuple[int, ...]
ORDER = param_order("Flip", Param("axis", default=-1), Param("order", default=(0, 1)))


def package(axis_params: Sequence[str], order: Param | None = None) -> OpPackage:
    orders = [ORDER if order is None else param_order("Flip", order)]
    return op_package("AxisPkg", ops=[Flip], param_orders=orders, axis_params=axis_params)


@pytest.mark.parametrize(
    ("axis", "rank", "expected"),
    [(0, 1, 3), (-1, 1, 3), (0, 3, 1), (2, 3, 3), (-3, 3, 1), (0, 4, 0), (-1, 4, 3), (1, 5, 0)],
)
def test_an_axis_keeps_its_dim_when_the_rank_grows(axis: int, rank: int, expected: int) -> None:
    assert shifted_axis(axis, rank) == expected


@pytest.mark.parametrize(
    ("axis", "rank", "message"),
    [(3, 3, "has 3 dims"), (-4, 3, "has 3 dims"), (0, 0, "has 0 dims"), (0, 5, "of the first 1")],
)
def test_an_axis_that_is_not_there_is_refused(axis: int, rank: int, message: str) -> None:
    with pytest.raises(HtpError, match=f"axis {axis}: .*{message}"):
        shifted_axis(axis, rank)


@pytest.mark.parametrize(
    ("value", "expected"), [(0, True), (-1, True), (True, False), (1.0, False), ("1", False)]
)
def test_axes_are_integers(value: object, expected: bool) -> None:
    assert is_axis(value) is expected


def test_packages_know_the_axis_params_of_an_op() -> None:
    packages = Packages().extended(package(["axis", "order", "axis"]))
    assert packages.axis_params("AxisPkg.Flip") == ("axis", "order")
    assert packages.axis_params("htp.Softmax") == ("axis", "axes")
    assert packages.axis_params("Gone.Flip") == ()


def test_an_unknown_axis_param_is_refused() -> None:
    with pytest.raises(HtpError) as caught:
        Packages().extended(package(["axes"]))
    assert caught.value.lines() == [
        "package AxisPkg, axis param 'axes': no op of the package has this param",
        "  did you mean 'axis'?",
    ]


@pytest.mark.parametrize("default", [0.5, True, "x", (0, 1.5)])
def test_an_axis_param_has_no_other_default(default: float | str) -> None:
    with pytest.raises(HtpError, match="axis param 'axis': has the default"):
        Packages().extended(package(["axis"], Param("axis", default=default)))


def test_the_params_that_an_op_class_names_are_known_too() -> None:
    package = op_package("AxisPkg", ops=[Turn], axis_params=["axis"])
    assert Packages().extended(package).axis_params("AxisPkg.Turn") == ("axis",)
    with pytest.raises(HtpError, match=r"axis param 'axes': no op .*\n  did you mean 'axis'"):
        Packages().extended(op_package("AxisPkg", ops=[Turn], axis_params=["axes"]))


def test_an_op_that_says_nothing_of_its_params_may_have_any(tmp_path: Path) -> None:
    path = tmp_path / "flip.cpp"
    path.write_text('DEF_PACKAGE_OP(flip, "Flip")\nLIST_PACKAGE_AXIS_PARAMS("axis")\n')
    read, _ = load_cpp(path, name="AxisPkg")
    assert Packages().extended(from_cpp(read)).axis_params("AxisPkg.Flip") == ("axis",)


@pytest.mark.one_per("level")
@pytest.mark.parametrize("level", ["graph", "native", "allocated"])
@pytest.mark.parametrize(
    ("shape", "params", "default", "axis"),
    [
        ((2, 3, 5), "axis = 0 : i64", -1, 0),
        ((2, 3, 5), "axis = -2 : i64", -1, 1),
        ((7,), "axis = 0 : i64", -1, 0),
        ((2, 3, 5), "", -1, 2),
        ((1, 2, 3, 5), "axis = 1 : i64", -1, 1),
        ((2, 3, 5), "axis = array<i64: 0, -1>", (1,), (0, 2)),
        ((2, 3, 5), "", (1, -1), (1, 2)),
    ],
)
def test_an_op_in_a_graph_turns_the_dims_that_its_axis_names(
    shape: tuple[int, ...], params: str, default: Axes, axis: Axes, level: str
) -> None:
    order = param_order("Turn", Param("axis", default=default))
    packages = Packages().extended(
        op_package(
            "AxisPkg", ops=[Turn], kernels=[KERNELS], param_orders=[order], axis_params=["axis"]
        )
    )
    tensor = f"tensor<{'x'.join(map(str, shape))}xf32>"
    graph = parse_module(
        f"""func.func @main(%x: {tensor} {{htp.name = "x"}}) -> ({tensor} {{htp.name = "y"}}) {{
  %0 = qti_aisw.Custom(%x) {{op_type = "Turn", package = "AxisPkg", params = {{{params}}}}}
    : ({tensor}) -> {tensor}
  func.return %0 : {tensor}
}}""",
        ctx=packages.context(),
    )
    module = graph if level == "graph" else lower(graph, packages=packages, level=level)
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    result = Session(module, library=packages.library).run({"x": x})["y"]
    np.testing.assert_array_equal(result, np.flip(x, axis))


def test_cpp_text_says_the_same_and_reads_back(tmp_path: Path) -> None:
    text = """
DEF_PACKAGE_OP(flip, "Flip")
static Qnn_Scalar_t sg_scalar{.dataType = QNN_DATATYPE_INT_32, .int32Value = -1};
static Qnn_Param_t sg_axis{.paramType = QNN_PARAMTYPE_SCALAR, .scalarParam = sg_scalar};
DEF_PACKAGE_PARAM_ORDER("Flip", "axis", false, &sg_axis)
LIST_PACKAGE_AXIS_PARAMS("axis")
"""
    path, again = tmp_path / "flip.cpp", tmp_path / "again.cpp"
    path.write_text(text)
    read, summary = load_cpp(path, name="AxisPkg")
    assert summary.skipped == ()
    ours = package(["axis"], Param("axis", default=-1))
    assert from_cpp(read).axis_params == ours.axis_params
    assert Packages().extended(from_cpp(read)).axis_params("AxisPkg.Flip") == ("axis",)
    written = CppPackage("AxisPkg", param_orders=ours.param_orders, axis_params=ours.axis_params)
    again.write_text(write_cpp(written))
    assert load_cpp(again, name="AxisPkg")[0] == written
