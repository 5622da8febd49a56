"""The groups of tensors that share an encoding, as ops only move or compare their elements.

Algorithm: union-find over the ops that keep an encoding, O(tensors). Example: x -> Reshape -> a,
(a, b) -> Concat -> c gives the group x, a, b, c.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.spec_of import spec_of
from ...dialects.value.dtypes import DType
from ...runtime.program.boundary import main_function


def is_real(value: SSAValue) -> bool:
    """Tell whether a tensor may get an encoding: f32 tensors may."""
    return spec_of(value).dtype is DType.Float32


def groups_of(module: ModuleOp) -> list[list[SSAValue]]:
    """List the f32 tensors of a graph in groups that share an encoding, constants included."""
    block = main_function(module).body.block
    leader: dict[SSAValue, SSAValue] = {}

    def root(value: SSAValue) -> SSAValue:
        while leader.setdefault(value, value) is not value:
            value = leader[value]
        return value

    for argument in filter(is_real, block.args):
        root(argument)
    for op in block.ops:
        for result in filter(is_real, op.results):
            root(result)
        if isinstance(op, GraphOp) and op.KEEPS_ENCODING:
            tied = [*filter(is_real, op.operands), *filter(is_real, op.results)]
            for value in tied[1:]:
                leader[root(value)] = root(tied[0])
    groups: dict[SSAValue, list[SSAValue]] = {}
    for value in leader:
        groups.setdefault(root(value), []).append(value)
    return list(groups.values())
