"""ONNX nodes of two op packages, and models with them run at a level."""

from collections.abc import Sequence

from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import Packages, load_packages
from htp_mlir.runtime import Session
from htp_mlir.runtime.functions.support.arrays import Array
from numpy.lib.stride_tricks import sliding_window_view
from onnx import ModelProto, NodeProto, TensorProto, helper
from xdsl.dialects.builtin import ModuleOp

from ....support.paths import EXAMPLES
from ...packages import registry_package

EXAMPLE = EXAMPLES / "max_pool_package"
POOL = load_packages(EXAMPLE / "package.py")
MINE = Packages().extended(registry_package.PACKAGE)
MINE_FILE = registry_package.__file__ or ""
LEVELS = ["graph", "native", "placed", "allocated"]
WINDOW = {"window": [1, 2, 2, 1], "stride": [1, 2, 1, 1]}


def node(op: str, inputs: str, outputs: str, **attributes: object) -> NodeProto:
    return helper.make_node(op, inputs.split(), outputs.split(), **attributes)


def pool(inputs: str, outputs: str, **attributes: object) -> NodeProto:
    return node("MaxPool_valid", inputs, outputs, domain="MaxPoolPackage", **attributes)


def run(module: ModuleOp, packages: Packages, x: Array, level: str) -> Array:
    if level != "graph":
        module = lower(module, packages=packages, level=level)
    result = Session(module, library=packages.library, check=True).run({"x": x})["y"]
    assert result is not None
    return result


def pooled(x: Array) -> Array:
    windows = sliding_window_view(x, (2, 2), axis=(-3, -2))
    return windows[..., ::2, :, :, :, :].max(axis=(-2, -1))


def affine(**attributes: object) -> NodeProto:
    return node("Affine", "x", "y", domain="Mine", **attributes)


def with_types(model: ModelProto, **shapes: Sequence[int | str]) -> ModelProto:
    for name, shape in shapes.items():
        value = helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        model.graph.value_info.append(value)
    return model
