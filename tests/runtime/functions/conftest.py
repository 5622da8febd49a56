"""ONNX Runtime as an oracle: one op, its inputs and attributes in, its outputs out."""

from collections.abc import Callable, Sequence

import numpy as np
import onnxruntime as ort
import pytest
from numpy.typing import NDArray
from onnx import ValueInfoProto, helper

Arrays = list[NDArray[np.generic]]


def run_onnx(
    op: str,
    inputs: Sequence[NDArray[np.generic] | None],
    outputs: int = 1,
    **attributes: object,
) -> Arrays:
    """The outputs of one ONNX op; None is an omitted optional input."""
    names = [f"x{i}" if value is not None else "" for i, value in enumerate(inputs)]
    feeds = {name: value for name, value in zip(names, inputs, strict=True) if value is not None}
    declared = [
        helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape
        )
        for name, value in feeds.items()
    ]
    results = [f"y{i}" for i in range(outputs)]
    untyped = [ValueInfoProto(name=name) for name in results]
    node = helper.make_node(op, names, results, **attributes)
    graph = helper.make_graph([node], "oracle", declared, untyped)
    opset = [helper.make_opsetid("", 20)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=10)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = ort.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return list(session.run(None, feeds))


@pytest.fixture(name="onnx_op", scope="session")
def _onnx_op() -> Callable[..., Arrays]:
    return run_onnx
