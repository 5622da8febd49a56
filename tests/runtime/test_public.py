"""The public names of the runtime, and a user package's kernel beside the project's own."""

import ast
import importlib
import inspect
import subprocess
import sys

import numpy as np
import pytest
from htp_mlir import runtime
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.fields import tensor_def
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.runtime import (
    Cost,
    KernelSet,
    Session,
    parse_module,
    prepare,
    standard_library,
)
from htp_mlir.runtime.tensors.tensor_classes import PlainFloatTensor
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

RELU = """
func.func @main(%x: tensor<1x1x1x4xf32> {htp.name = "x"})
    -> (tensor<1x1x1x4xf32> {htp.name = "y"}) {
  %0 = htp.Reshape(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = htp.Relu(%0) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %2 = htp.Reshape(%1) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  return %2 : tensor<1x1x1x4xf32>
}
"""
X = np.array([[[[-2, -1, 1, 2]]]], np.float32)


class DoubleOp(NativeOp):
    """in [b, h, w, d] times two."""

    name = "Mine.Double"

    in_ = tensor_def()

    def infer(self) -> tuple[TensorSpec | None, ...]:
        return (self.spec("in"),)


def with_double(module: ModuleOp) -> ModuleOp:
    """Put the user's op in the place of Relu."""
    relu: Operation = next(op for op in module.walk() if op.name == "htp.Relu")
    double = DoubleOp.create(operands=relu.operands, result_types=[relu.results[0].type])
    relu.parent.insert_op_before(double, relu)
    relu.results[0].replace_all_uses_with(double.results[0])
    relu.detach()
    relu.erase()
    return module


def test_a_kernel_of_a_user_package_runs_beside_the_projects_own() -> None:
    kernels = KernelSet("Mine")

    @kernels.kernel("Double", cost=Cost.FAST)
    def double(out: PlainFloatTensor, a: PlainFloatTensor) -> None:
        np.multiply(a.array, 2, out=out.array)

    module = with_double(parse_module(RELU))
    library = standard_library().extended(kernels)
    out = Session(prepare(module, library), check=True).run({"x": X})
    np.testing.assert_array_equal(out["y"], 2 * X)


def test_every_public_name_is_there() -> None:
    """A name is that of the module which the type checker takes it from."""
    tree = ast.parse(inspect.getsource(runtime))
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) if node.level]
    names = [(node.module, alias.name) for node in statements for alias in node.names]
    assert ("session.session", "Session") in names
    for home, name in names:
        module = importlib.import_module(f"htp_mlir.runtime.{home}")
        assert getattr(runtime, name) is getattr(module, name), name


@pytest.mark.parametrize("name", ["Sesion", "_MODULE"])
def test_a_name_that_is_not_there(name: str) -> None:
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
        getattr(runtime, name)


def test_importing_the_package_alone_loads_no_kernels() -> None:
    code = "import sys, htp_mlir.runtime; print('htp_mlir.runtime.kernels' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
