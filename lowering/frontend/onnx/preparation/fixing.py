"""Inputs of a model that the user fixes: constants of their dtype and shape from then on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike
from onnx import GraphProto, ValueInfoProto, helper, numpy_helper

from .....dialects.checks import text
from .....dialects.dense import Array
from .....dialects.diagnostics import Fault, HtpError
from .....dialects.faults.suggestions import listed
from ...graph.arrays import UnknownType
from ..support.types import SUPPORTED, dtype_of_onnx
from .dims import real_inputs


def fix_constants(graph: GraphProto, constants: Mapping[str, ArrayLike]) -> None:
    """Make initializers of the inputs named; HtpError lists every one that cannot be.

    Numbers and lists take the dtype of their input, a list of one number also its shape; arrays
    must have both.
    """
    inputs = {value.name: value for value in real_inputs(graph)}
    faults: list[Fault] = []
    for name, value in constants.items():
        if name not in inputs:
            known = listed(name, inputs, "inputs are")
            faults.append(Fault(f"constant '{name}'", "is no input of the model", known))
            continue
        try:
            array = _fitting(value, inputs[name])
        except (UnknownType, ValueError, OverflowError) as problem:
            remedy = "give a value of the input's dtype and shape"
            faults.append(Fault(f"constant '{name}'", str(problem), remedy))
            continue
        type_ = helper.make_tensor_type_proto(inputs[name].type.tensor_type.elem_type, array.shape)
        inputs[name].type.CopyFrom(type_)
        graph.initializer.append(numpy_helper.from_array(array, name))
    if faults:
        raise HtpError(*faults)


def _fitting(value: ArrayLike, stated: ValueInfoProto) -> Array:
    """Return a value as the input takes it; ValueError or UnknownType in words where it cannot."""
    if not stated.type.HasField("tensor_type"):
        raise UnknownType("the input is no tensor")
    type_ = stated.type.tensor_type
    try:
        wanted = dtype_of_onnx(type_.elem_type)
    except UnknownType as problem:
        raise UnknownType(f"the input has {problem}; supported are {SUPPORTED}") from problem
    storage = np.dtype(wanted.storage)
    array = np.asarray(value)
    numbers = not isinstance(value, np.ndarray | np.generic)
    with np.errstate(all="ignore"):
        cast = array.astype(storage) if array.dtype.kind in "biuf" else array
    same = np.array_equal(cast, array) or wanted.is_float
    if cast.dtype != storage or not ((numbers and same) or array.dtype == storage):
        raise ValueError(f"its numbers are {array.dtype}, the input is {storage}")
    dims = type_.shape.dim if type_.HasField("shape") else None
    if dims is None:
        return cast
    shape = [dim.dim_value if dim.HasField("dim_value") else -1 for dim in dims]
    if numbers and cast.size == 1 and shape in ([], [1], [-1]):
        cast = cast.reshape((1,) * len(shape))
    fits = cast.ndim == len(shape) and all(
        want in (-1, size) for size, want in zip(cast.shape, shape, strict=True)
    )
    if not fits:
        dims_said = "x".join("?" if size < 0 else f"{size}" for size in shape)
        raise ValueError(f"its shape is {text(cast.shape)}, the input's is {dims_said or 'scalar'}")
    return cast
