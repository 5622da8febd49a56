"""Small modules that show a difference: the ops around it, with the real values that they read.

From the first value that differs the cut goes back, before and after the change, up to values that
agree. Where such a value has one type in both and no place, it becomes an argument; else a constant
with what it was. The value that differs is the result.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ...dialects.dense import Array
from ...dialects.htp.ops.const import const
from ...dialects.htp.ops.state import StateReadOp
from ...dialects.locations import NAME
from ...dialects.qti_aisw.base import GraphOp
from ...dialects.qti_aisw.ops.const import const as graph_const
from ...dialects.spec_of import spec_of
from ...runtime.functions.quantize import quantize
from .change import Culprit

RESULT = "value"
"""The name of the output of a small module."""


@dataclass(frozen=True)
class CutModules:
    """The two modules, and the values of their arguments."""

    before: ModuleOp
    after: ModuleOp
    inputs: Mapping[str, Array] = field(default_factory=dict)


def cut_around(culprit: Culprit) -> CutModules | None:
    """Cut both modules down to what computes the value that differs; None for a state's."""
    if any(not _computes(value) for value in (culprit.value, culprit.before)):
        return None
    old_of = culprit.pairs
    after_ops, after_edge = _slice(culprit.value, old_of.keys())
    before_ops, before_edge = _slice(culprit.before, set(old_of.values()))
    new_of = {before: value for value, before in old_of.items()}
    shared = [
        value
        for value in old_of
        if (value in after_edge or old_of[value] in before_edge)
        and value.type == old_of[value].type
        and spec_of(value).place is None
    ]
    names = {value: f"in{index}" for index, value in enumerate(shared)}
    arguments = {name: _stored(value, culprit.new.values[value]) for value, name in names.items()}
    after = _module(after_ops, after_edge, names, culprit.value, culprit.new.values)
    before = _module(
        before_ops,
        before_edge,
        {old_of[value]: name for value, name in names.items()},
        culprit.before,
        {**culprit.old.values, **{b: culprit.old.values[b] for b in new_of}},
    )
    return CutModules(before, after, arguments)


def _slice(result: SSAValue, known: Collection[SSAValue]) -> tuple[list[Operation], set[SSAValue]]:
    """Return the ops that compute a value from known ones, in order, and the known ones."""
    ops: set[Operation] = set()
    edge: set[SSAValue] = set()
    work = [result]
    while work:
        value = work.pop()
        op = value.owner
        if not _computes(value) or (value in known and value is not result):
            edge.add(value)
        elif isinstance(op, Operation) and op not in ops:
            ops.add(op)
            work += op.operands
    block = result.owner.parent if isinstance(result.owner, Operation) else result.owner
    return [op for op in block.ops if op in ops] if isinstance(block, Block) else [], edge


def _computes(value: SSAValue) -> bool:
    """Tell whether an op computes a value from its operands alone, and no argument or state is."""
    return isinstance(value.owner, Operation) and not isinstance(value.owner, StateReadOp)


def _module(
    ops: Collection[Operation],
    edge: Collection[SSAValue],
    names: Mapping[SSAValue, str],
    result: SSAValue,
    values: Mapping[SSAValue, Array],
) -> ModuleOp:
    """Make a module of copies of ops."""
    block = Block(arg_types=[value.type for value in names])
    mapped: dict[SSAValue, SSAValue] = dict(zip(names, block.args, strict=True))
    is_graph = any(isinstance(op, GraphOp) for op in ops)
    for op in ops:
        for value in dict.fromkeys(op.operands):
            if value in edge and value not in mapped:
                make = graph_const if is_graph else const
                constant = make(_stored(value, values[value]), spec_of(value))
                block.add_op(constant)
                mapped[value] = constant.out
        block.add_op(op.clone(mapped))
    block.add_op(ReturnOp(mapped[result]))
    function = FuncOp(
        "main",
        ([arg.type for arg in block.args], [result.type]),
        Region(block),
        arg_attrs=_named(names.values()),
        res_attrs=_named([RESULT]),
    )
    return ModuleOp([function])


def _named(names: Collection[str]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr([DictionaryAttr({NAME: StringAttr(name)}) for name in names])


def _stored(value: SSAValue, array: Array) -> Array:
    """Return the stored values of a tensor whose real ones are kept."""
    spec = spec_of(value)
    if spec.quant is None:
        stored: Array = array.astype(spec.dtype.storage)
        return stored
    q = spec.quant
    return quantize(array, q.scales, q.zero_points, spec.dtype.storage, q.axis)
