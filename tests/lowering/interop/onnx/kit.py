"""What the tests of ONNX out share: equal graphs, and numbers of ONNX Runtime."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnxruntime
from htp_mlir.dialects.qti_aisw.ops.const import ConstOp
from htp_mlir.dialects.qti_aisw.ops.movement import ReshapeOp
from htp_mlir.lowering import import_model
from htp_mlir.lowering.interop.onnx.save import saved
from htp_mlir.lowering.packages.loading import installed
from htp_mlir.lowering.passes.graph.raise_ops import Raise, RaiseBlockOps
from htp_mlir.runtime import Session
from numpy.typing import NDArray
from onnx import ModelProto, checker
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ....support.feeds import feeds
from ....support.judge import judge_options

Tensors = Mapping[str, NDArray[Any]]
CLOSE = {"f4": 1e-5, "f2": 2e-3}
"""Largest error relative to the output's scale: of f32 some units in the last place after another
order of sums, of f16 two."""


def raised(module: ModuleOp, *, blocks: bool = False) -> ModuleOp:
    """Raise ops, and block ops with a reset, in place."""
    Raise().apply(installed().context(), module)
    if blocks:
        RaiseBlockOps(reset="reset").apply(installed().context(), module)
    return module


def checked(module: ModuleOp) -> ModelProto:
    """Return the module as a model that onnx's checker and strict inference accept."""
    model = saved(module).model
    checker.check_model(model, full_check=True)
    return model


def run(model: ModelProto, inputs: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """Return the outputs of ONNX Runtime, of the inputs that the model has."""
    session = onnxruntime.InferenceSession(model.SerializeToString(), judge_options())
    names = [value.name for value in session.get_inputs()]
    outputs = [value.name for value in session.get_outputs()]
    results = session.run(outputs, {name: np.asarray(inputs[name]) for name in names})
    return dict(zip(outputs, results, strict=True))


def assert_same_numbers(module: ModuleOp, source: ModelProto, model: ModelProto) -> None:
    """Both models give the same in ONNX Runtime; a state that is kept is no output any more."""
    inputs = feeds(Session(module))
    expected, results = run(source, inputs), run(model, inputs)
    for name in results:
        wanted = expected[name].astype(np.float64)
        numbers = np.isfinite(wanted)
        scale = np.max(np.abs(wanted[numbers]), initial=0) or 1
        error = np.max(np.abs(results[name] - wanted)[numbers], initial=0) / scale
        assert error <= CLOSE.get(expected[name].dtype.str[1:], 0), name


def difference(one: ModuleOp, other: ModuleOp) -> str:
    """Return where two graphs differ, from their outputs up; empty where they are equal.

    The order of ops does not count, nor do Reshapes of constants, and those that change nothing.
    """
    (first,), (second,) = one.body.block.ops, other.body.block.ops
    assert isinstance(first, FuncOp)
    assert isinstance(second, FuncOp)
    for name in ("function_type", "arg_attrs", "res_attrs"):
        if getattr(first, name) != getattr(second, name):
            return f"{getattr(first, name)} is not {getattr(second, name)}"
    blocks = first.body.block, second.body.block
    arguments = dict(zip(*(block.args for block in blocks), strict=True))
    ends = [block.last_op.operands if block.last_op else () for block in blocks]
    left, seen = list(zip(*ends, strict=True)), set[tuple[SSAValue, SSAValue]]()
    while left:
        a, b = pair = _bare(left[-1][0]), _bare(left.pop()[1])
        if pair in seen:
            continue
        seen.add(pair)
        if a in arguments:
            if arguments[a] is not b:
                return f"{a} is not {b}"
        elif isinstance(a.owner, Operation) and isinstance(b.owner, Operation):
            if _is_folded(a.owner, b.owner):
                continue
            if not _equal(a.owner, b.owner):
                return f"{str(a.owner)[:300]} is not {str(b.owner)[:300]}"
            left += zip(a.owner.operands, b.owner.operands, strict=True)
        else:
            return f"{a} is not {b}"
    return ""


def _bare(value: SSAValue) -> SSAValue:
    """Return what a Reshape reads that changes nothing."""
    while isinstance(value.owner, ReshapeOp) and value.owner.inp.type == value.type:
        value = value.owner.inp
    return value


def _equal(one: Operation, other: Operation) -> bool:
    types = [[result.type for result in op.results] for op in (one, other)]
    count = len(one.operands) == len(other.operands)
    return (
        one.name == other.name
        and one.properties == other.properties
        and count
        and (types[0] == types[1])
    )


def _is_folded(one: Operation, other: Operation) -> bool:
    if one.name != "qti_aisw.Reshape" or not isinstance(other, ConstOp):
        return False
    data = one.operands[0].owner
    return isinstance(data, ConstOp) and np.array_equal(data.array.ravel(), other.array.ravel())


def assert_returns(module: ModuleOp, model: ModelProto, *, blocks: bool | None = None) -> None:
    """The import of the model is the module, where `blocks` is no None after raising again."""
    again = import_model(model)
    if blocks is not None:
        raised(again, blocks=blocks)
    assert difference(module, again) == ""
