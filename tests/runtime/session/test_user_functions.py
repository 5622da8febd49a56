"""What goes wrong in functions that users bring: errors that name the op and the kernel."""

from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.runtime import KernelSet, Session, parse_module
from htp_mlir.runtime.kernel.kernel import BoundCall, Cost
from htp_mlir.runtime.kernel.library import KernelRegistry
from htp_mlir.runtime.kernels import standard_library
from htp_mlir.runtime.tensors.tensors import ShapeParam, Tensor

F32 = TensorSpec((1, 2, 2, 2), DType.Float32)
AT = rf", at \S*{Path(__file__).name}:\d+\n"
"""The place of what is raised in this file."""
Unbound = TypeVar("Unbound")
Odd = TypeVar("Odd", Tensor, int)
MODEL = """
func.func @main(%x: tensor<1x2x2x2xf32> {htp.name = "x"}) -> tensor<1x2x2x2xf32> {
  %0 = htp.Reshape(%x) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %1 = htp.Neg(%0) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %2 = htp.Reshape(%1) : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  func.return %2 : tensor<1x2x2x2xf32>
}"""
ANNOTATIONS: dict[str, tuple[dict[str, object], str]] = {
    "none": ({"out": Tensor, "return": None}, "parameter 'a' has no annotation"),
    "int": ({"out": int, "a": Tensor, "return": None}, "'out' has the annotation int"),
    "union": ({"out": Tensor, "a": Tensor | int, "return": None}, "'a' has the annotation"),
    "unbound": ({"out": Tensor, "a": Unbound, "return": None}, "'a' has the annotation ~Unbound"),
    "odd": ({"out": Tensor, "a": Odd, "return": None}, "'a' has the annotation ~Odd"),
    "result": ({"out": Tensor, "a": Tensor}, "does not say what it returns"),
}


@pytest.mark.parametrize(("annotations", "message"), ANNOTATIONS.values(), ids=list(ANNOTATIONS))
def test_every_parameter_says_what_it_takes(annotations: dict[str, object], message: str) -> None:
    def copy(out: Tensor, a: Tensor) -> None: ...

    copy.__annotations__ = annotations
    with pytest.raises(HtpError, match=f"P.Copy, kernel copy: .*{message}"):
        KernelSet("P").kernel("Copy")(copy)


def test_a_kernel_of_nothing_is_refused() -> None:
    def nothing() -> None: ...

    with pytest.raises(HtpError, match=r"P.Copy, kernel nothing: takes nothing"):
        KernelSet("P").kernel("Copy")(nothing)


def test_unions_and_shapes_are_annotations() -> None:
    kernels = KernelSet("P")

    @kernels.kernel("Copy")
    def copy(out: Tensor, a: Tensor | ShapeParam) -> None: ...

    assert [kernel.name for kernel in kernels] == ["copy"]


@pytest.mark.parametrize("cost", [lambda _outs, _ins: 1 / 0, lambda _outs, _ins: "cheap"])
def test_a_cost_function_that_fails_is_named(cost: object) -> None:
    kernels = KernelSet("P")
    assert callable(cost)

    @kernels.kernel("Copy", cost=cost)
    def copy(out: Tensor, a: Tensor) -> None: ...

    with pytest.raises(HtpError, match=r"P.Copy, kernel copy: the cost function fails: \w+Error"):
        KernelRegistry([kernels]).select("P.Copy", [F32], [F32])


def test_what_a_kernel_raises_names_its_op() -> None:
    kernels = KernelSet()

    @kernels.kernel("Neg", cost=Cost.FREE)
    def broken(out: Tensor, a: Tensor) -> None:
        raise RuntimeError("boo\nhoo")

    session = Session(parse_module(MODEL), library=standard_library().extended(kernels))
    with pytest.raises(
        HtpError, match=rf"htp.Neg \(op 1\), kernel broken: RuntimeError: boo hoo{AT}"
    ):
        session.run({"x": np.ones(F32.shape, np.float32)})


def test_what_a_binding_kernel_raises_names_its_op() -> None:
    kernels = KernelSet()

    @kernels.kernel("Neg", cost=Cost.FREE)
    def broken(out: Tensor, a: Tensor) -> BoundCall:
        raise KeyError("table")

    library = standard_library().extended(kernels)
    with pytest.raises(
        HtpError,
        match=rf"htp.Neg \(op 1\), kernel broken: cannot be prepared: KeyError: 'table'{AT}",
    ):
        Session(parse_module(MODEL), library=library)
