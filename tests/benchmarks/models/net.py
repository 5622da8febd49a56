"""A builder of graph-level models: named nodes, seeded random weights, one input."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod

import numpy as np
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, build, const
from htp_mlir.dialects.qti_aisw.base import bool_attr, float_attr, int_attr, ints_attr
from htp_mlir.dialects.spec_of import spec_of, type_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

Param = bool | int | float | Sequence[int]
NAME = "htp.name"


class Net:
    """Collects a graph; every method that makes a tensor returns it."""

    def __init__(self, seed: int = 0, dtype: DType = DType.Float32) -> None:
        self._random = np.random.default_rng(seed)
        self._dtype = dtype
        self._block = Block()
        self._inputs: list[str] = []
        self._scope: tuple[str, ...] = ()

    def input(self, name: str, *shape: int) -> SSAValue:
        """A float input."""
        self._inputs.append(name)
        type_ = type_of(TensorSpec(shape, self._dtype))
        return self._block.insert_arg(type_, len(self._block.args))

    @contextmanager
    def within(self, name: str) -> Iterator[None]:
        """Nodes made inside have names that begin with this one."""
        outer, self._scope = self._scope, (*self._scope, name)
        yield
        self._scope = outer

    def weights(self, *shape: int, fan: int | None = None) -> SSAValue:
        """Random weights, scaled to keep the variance over `fan` summands (all but the last)."""
        summands = prod(shape[:-1]) if fan is None else fan
        data = self._random.standard_normal(shape, dtype=np.float32)
        data *= np.float32(1 / np.sqrt(summands))
        stored = data.astype(self._dtype.storage)
        return self._add(const(stored, TensorSpec(shape, self._dtype)), "weights")[0]

    def scalar(self, value: float) -> SSAValue:
        """A float without dims."""
        stored = np.asarray(value, self._dtype.storage)
        return self._add(const(stored, TensorSpec((), self._dtype)), "scalar")[0]

    def op(
        self, node: str, kind: str, *operands: SSAValue | list[SSAValue], **params: Param
    ) -> SSAValue:
        """The first result of a node."""
        definition = GRAPH_OPS[kind].get_irdl_definition()
        absent = [None] * (len(definition.operands) - len(operands))
        properties = {name: _attribute(value) for name, value in params.items()}
        return self._add(build(GRAPH_OPS[kind], [*operands, *absent], properties), node)[0]

    def model(self, outputs: Mapping[str, SSAValue]) -> ModuleOp:
        """The verified module."""
        self._block.add_op(ReturnOp(*outputs.values()))
        types = (self._block.arg_types, [value.type for value in outputs.values()])
        function = FuncOp(
            "main",
            types,
            Region(self._block),
            arg_attrs=_names(self._inputs),
            res_attrs=_names(outputs),
        )
        module = ModuleOp([function])
        module.verify()
        return module

    def _add(self, op: Operation, node: str) -> Sequence[SSAValue]:
        op.attributes[NAME] = StringAttr(".".join((*self._scope, node)))
        self._block.add_op(op)
        return op.results


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """The dims of a tensor."""
    return spec_of(value).shape


def _attribute(value: Param) -> Attribute:
    for kind, make in ((bool, bool_attr), (int, int_attr), (float, float_attr)):
        if isinstance(value, kind):
            return make(value)
    return ints_attr(value)


def _names(names: Iterator[str] | Sequence[str] | Mapping[str, SSAValue]) -> Attribute:
    return ArrayAttr([DictionaryAttr({NAME: StringAttr(name)}) for name in names])
