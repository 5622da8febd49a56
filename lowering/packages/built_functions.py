"""C++ functions that rules call by name, as the build runs them: constraints and shapes."""

from collections.abc import Iterable
from functools import partial

import numpy as np

from ...dialects.diagnostics import fail
from ...dialects.value import DType
from ...runtime.tensors.memory import SharedBytes, shared_bytes
from ...runtime.tensors.tensors import Bytes
from ..rules import Node, Split
from ..rules.tree.expr import External
from .compiled.kernels import DTYPES, SHAPE_RECORD, BuiltFunction, BuiltPackage
from .compiled.worker import ADDRESS, TENSOR, KernelTask, Tensors


def built_externals(built: BuiltPackage) -> list[External]:
    """Return the functions of a build as rules call them: with nodes, numbers, dims and slices."""
    return [External(each.name, partial(_call, built, each)) for each in built.functions]


def _call(
    built: BuiltPackage, function: BuiltFunction, *operands: object
) -> bool | tuple[int, ...]:
    """Call a function; HtpError where it fails, or takes other operands."""
    records = np.zeros(1 + len(operands), TENSOR)
    records["memory"], records["scale"] = ADDRESS, 1
    # The constants' bytes are there until the call is over.
    kept = [_describe(built, records[at : at + 1], op) for at, op in enumerate(operands, 1)]
    reply = built.caller.call(KernelTask.APPLY, function.index, records, built.limit)
    built.check(f"the function '{function.name}'", function.name, reply)
    kept.clear()
    if function.gives == "shape":
        return tuple(map(int, records[0]["dims"][: int(reply.value)]))
    return bool(reply.value)


def _describe(built: BuiltPackage, record: Tensors, operand: object) -> Bytes | None:
    """Write an operand into its record; return the bytes of a constant."""
    match operand:
        case Split():
            record["dims"] = operand.dim, operand.start, operand.size, operand.index
        case Node():
            return _describe_node(built, record, operand)
        case DType():
            record["offset"] = DTYPES.index(operand.name)
        case tuple():
            record["dims"] = _four(operand)
        case bool() | int() | float():
            record["offset"], record["scale"] = int(operand) % 2**64, operand
        case _:
            raise fail("built function", f"is given {operand!r}", "give it nodes and numbers")
    return None


def _describe_node(built: BuiltPackage, record: Tensors, node: Node) -> Bytes | None:
    record["dims"] = _four(node.shape)
    if node.is_shape:
        record["layout"] = SHAPE_RECORD
        return None
    spec, data = node.spec, node.constant
    record["dtype"] = DTYPES.index(spec.dtype.name) if spec.dtype.name in DTYPES else 0
    if spec.quant is not None:
        record["scale"], record["zero"] = spec.quant.scales[0], spec.quant.zero_points[0]
    if data is None:
        return None
    stored = np.ascontiguousarray(data).reshape(-1).view(np.uint8)
    memory = SharedBytes(stored.size).bytes()
    memory[:] = stored
    record["nbytes"], record["offset"] = stored.size, memory.ctypes.data
    if built.caller.shares and (shared := shared_bytes(memory)):
        record["memory"], record["offset"] = built.caller.number(shared[0]), shared[1]
    return memory


def _four(dims: Iterable[object]) -> tuple[int, ...]:
    """Return dims with ones in front, four in all."""
    own = tuple(int(str(dim)) for dim in dims)
    return (*(1,) * (4 - len(own)), *own)
