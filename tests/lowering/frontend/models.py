"""Small ONNX models for tests, and ONNX Runtime as the judge of what they compute."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import onnxruntime
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime.session.session import Session
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, ValueInfoProto, helper, numpy_helper

from ...support.judge import judge_options

Array = NDArray[Any]
Arrays = Mapping[str, Array]
OPSET = 21


def model_of(
    nodes: Sequence[NodeProto],
    feeds: Arrays,
    outputs: Sequence[str],
    constants: Arrays | None = None,
    opset: int = OPSET,
) -> ModelProto:
    """A model whose inputs have the types of the feeds."""
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape)
        for name, a in feeds.items()
    ]
    graph = helper.make_graph(
        nodes,
        "test",
        inputs,
        [ValueInfoProto(name=name) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


EPSILON = float(np.finfo(np.float32).eps)


def judged(model: ModelProto, feeds: Arrays, is_wide: bool = False) -> dict[str, Array]:
    """The outputs as ONNX Runtime computes them; `is_wide` as of its options."""
    session = onnxruntime.InferenceSession(model.SerializeToString(), judge_options(is_wide))
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, dict(feeds)), strict=True))


def assert_same(model: ModelProto, feeds: Arrays) -> None:
    """The imported graph computes what ONNX Runtime does, in the same dtypes.

    Where summands cancel, what is left has the error of the largest of them.
    """
    outputs = Session(import_model(model)).run(dict(feeds))
    for name, wanted in judged(model, feeds).items():
        assert outputs[name].dtype == wanted.dtype
        finite = np.abs(wanted[np.isfinite(wanted)]) if wanted.dtype == np.float32 else []
        atol = max(2e-6, 4 * EPSILON * float(np.max(finite, initial=0.0)))
        np.testing.assert_allclose(outputs[name], wanted, rtol=1e-5, atol=atol, err_msg=name)


def floats(*shape: int, seed: int = 0) -> Array:
    """Normal f32 numbers."""
    return np.random.default_rng([seed, *shape]).normal(size=shape).astype(np.float32)


def ints(*shape: int, low: int = -8, high: int = 8, dtype: str = "int32") -> Array:
    """Integers, none of them 0."""
    numbers = np.random.default_rng(list(shape)).integers(low, high, shape).astype(dtype)
    return np.where(numbers == 0, 1, numbers).astype(dtype)
