"""Nodes of ONNX within a conversion, with the types that ONNX infers for them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from onnx import NodeProto, TypeProto, defs
from onnx.helper import make_tensor_type_proto, np_dtype_to_tensor_dtype
from onnx.numpy_helper import from_array
from onnx.shape_inference import InferenceError, infer_node_outputs

from ....dialects.value.spec import TensorSpec
from ..onnx.schemas import register_block_ops
from ..onnx.support.faults import NodeFault
from ..onnx.support.types import spec_of_onnx

Arrays = Mapping[str, NDArray[np.generic]]


def output_specs(
    node: NodeProto, inputs: Mapping[str, TensorSpec], constants: Arrays
) -> list[TensorSpec | None]:
    """Infer the specs of a node's outputs; NodeFault where its inputs do not fit together."""
    if node.domain:
        register_block_ops()
    schema = defs.get_schema(node.op_type, node.domain)
    types = {name: _type(spec) for name, spec in inputs.items()}
    data = {name: from_array(array) for name, array in constants.items()}
    try:
        outputs = infer_node_outputs(schema, node, types, data)
    except InferenceError as error:
        raise NodeFault(f"{node.op_type}: {' '.join(str(error).split())}") from error
    return [spec_of_onnx(outputs[name]) if name in outputs else None for name in node.output]


def _type(spec: TensorSpec) -> TypeProto:
    type_: TypeProto = make_tensor_type_proto(
        np_dtype_to_tensor_dtype(spec.dtype.storage), spec.shape
    )
    return type_
