"""The numbers that the ops of a quantised graph compute with: stored integers, or reals and why."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects.locations import node_of
from ...dialects.qti_aisw.ops.const import ConstOp
from ...dialects.qti_aisw.ops.quantize import ElementTypeChange
from ...dialects.spec_of import spec_of
from ...dialects.value import DType
from .imported import graph_ops

STORED = {
    DType.QUInt8: "u8",
    DType.QInt8: "i8",
    DType.QUInt16: "u16",
    DType.QInt16: "i16",
}
"""The words for stored integers."""


def types_of(module: ModuleOp, reasons: Mapping[Operation, str]) -> dict[str, tuple[str, ...]]:
    """Return, by node, what its ops compute with, but for ops without numbers.

    `reasons` are those of `take_encodings`: why an op stayed in floats. There are none of a model
    whose weights alone are stored, such as one that was quantised dynamically.
    """
    constants = (op for op in module.walk() if isinstance(op, ConstOp))
    weights = any(spec_of(op.results[0]).dtype in STORED for op in constants)
    missing = "only weights have an encoding" if weights and not reasons else ""
    types: dict[str, list[str]] = defaultdict(list)
    for op in graph_ops(module):
        if not isinstance(op, ConstOp | ElementTypeChange):
            # The integers that an op gives, else those that it reads.
            computed = [value for value in op.operands if not isinstance(value.owner, ConstOp)]
            dtypes = (spec_of(value).dtype for value in (*op.results, *computed))
            stored = next((STORED[dtype] for dtype in dtypes if dtype in STORED), "")
            real = any(spec_of(value).dtype is DType.Float32 for value in op.results)
            why = reasons.get(op, missing if real else "")
            word = f"f32: {why}" if why and not stored else stored
            types[node_of(op)] += [word] if word else []
    return {node: tuple(dict.fromkeys(words)) for node, words in types.items() if words}


def is_stored(types: Iterable[str]) -> bool:
    """Tell whether all of a node's ops compute with stored integers."""
    return all(word in STORED.values() for word in types)
