"""The context of a conversion: one node's arguments by name, and a builder of graph ops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx.helper import make_node
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    StringAttr,
)
from xdsl.ir import SSAValue

from .....dialects.dense import Array
from .....dialects.qti_aisw.ops.const import ConstOp
from .....dialects.spec_of import plain_element_type, spec_of
from .....dialects.value.dtypes import DType
from .....dialects.value.spec import TensorSpec
from ...graph.arrays import spec_of_array
from ...graph.builder import GraphBuilder
from ...graph.emitter import Emitter
from ...onnx.support.context import NodeContext
from ...onnx.support.faults import NodeFault, UnknownInput
from ...onnx.support.registry import OnnxImporter
from .onnx_node import output_specs


@dataclass(frozen=True)
class NodeInfo:
    """A node as PyTorch has it: the schema's names, defaults filled in, and the user's line.

    `args` are tensors by the names of the nodes that make them, wrapped in Ref, and numbers, lists
    and text as they are; `tensors` the names of those that are tensors by the schema. `outputs` are
    the specs of the results.
    """

    name: str
    op: str
    args: Mapping[str, Any]
    tensors: frozenset[str]
    outputs: tuple[TensorSpec | None, ...]
    source: str = ""

    @property
    def where(self) -> str:
        """The node in a message."""
        return f"node '{self.name}' ({self.op})" + (f" at {self.source}" if self.source else "")

    @property
    def location(self) -> LocationAttr:
        """The origin of the node's ops: its name, and the user's line."""
        file, _, line = self.source.rpartition(":")
        place: LocationAttr = UNKNOWN_LOC
        if file:
            place = FileLineColLoc(StringAttr(file), IntAttr(int(line)), IntAttr(1))
        return NameLoc(StringAttr(self.name), place)


@dataclass(frozen=True)
class Ref:
    """A tensor argument: the name of the value."""

    name: str


class AtenNode(GraphBuilder):
    """One node under conversion."""

    def __init__(
        self,
        info: NodeInfo,
        emitter: Emitter,
        constants: dict[str, Array],
        importers: Mapping[tuple[str, str], OnnxImporter],
    ) -> None:
        super().__init__(emitter)
        self.info = info
        self._constants = constants
        self._importers = importers

    def given(self, name: str) -> bool:
        """Tell whether an argument is there and not None."""
        return self.info.args.get(name) is not None

    def argument(self, name: str) -> Any:
        """Return an argument that is no tensor: a number, a list, text, None."""
        return self.info.args[name]

    def is_tensor(self, name: str) -> bool:
        """Tell whether an argument is a tensor, or may be one."""
        return name in self.info.tensors

    def reference(self, argument: Ref) -> SSAValue:
        """Return a tensor within a list of arguments."""
        return self._value(argument, argument.name)

    def value(self, name: str) -> SSAValue:
        """Return a tensor argument; a number becomes a scalar of the result's dtype."""
        return self._value(self.info.args[name], name)

    def optional(self, name: str) -> SSAValue | None:
        """Return a tensor argument that may be left out."""
        return self.value(name) if self.given(name) else None

    def values(self, name: str) -> list[SSAValue]:
        """Return a list of tensors."""
        return [self._value(each, name) for each in self.info.args[name]]

    def constant(self, name: str) -> Array:
        """Return the data of a tensor that must be constant; NodeFault where it is not."""
        argument = self.info.args[name]
        if isinstance(argument, Ref):
            array = self._constants.get(argument.name)
            if array is None:
                raise NodeFault(f"argument '{name}' is not constant", "make it a buffer")
            return array
        return np.asarray(argument)

    def out(self, index: int = 0) -> TensorSpec:
        """Return the spec of a result; NodeFault where it is not static."""
        spec = self.info.outputs[index] if index < len(self.info.outputs) else None
        if spec is None:
            raise NodeFault(f"result {index} has no static shape", "fix the dims: dims={...}")
        return spec

    def axis(self, name: str = "dim") -> int:
        """Return a dim of the first tensor argument, counted from the front."""
        rank = max(1, len(self.shape(self.value(self._first()))))
        return int(self.info.args[name]) % rank

    def require(self, condition: bool, problem: str, remedy: str = "") -> None:
        """Raise a NodeFault, which names this node, unless the condition holds."""
        if not condition:
            raise NodeFault(problem, remedy)

    def cast(self, value: SSAValue, dtype: DType) -> SSAValue:
        """Return the value in a dtype; itself where it has it."""
        if self.dtype(value) is dtype:
            return value
        return self.emit("Cast", value, to=plain_element_type(dtype))

    def array(self, number: float, like: SSAValue) -> Array:
        """Return a number as an array of another value's dtype."""
        return np.asarray(number, self.dtype(like).storage)

    def promoted(self, *names: str) -> list[SSAValue]:
        """Return tensors and numbers in the dtype that PyTorch computes them in.

        That of the result, or where it is a truth value, the widest of the tensors.
        """
        dtype = self.out().dtype
        if dtype is DType.Bool8:
            tensors = [self._value(self.info.args[n], n) for n in names if self._refers(n)]
            numbers = [self.info.args[n] for n in names if not self._refers(n)]
            kinds = [self.dtype(value).storage for value in tensors]
            dtype = spec_of_array(np.zeros((), np.result_type(*kinds, *numbers))).dtype
        values = (self.info.args[name] for name in names)
        return [
            self.cast(self._value(value, name), dtype)
            if isinstance(value, Ref)
            else self.const(np.asarray(value, dtype.storage))
            for name, value in zip(names, values, strict=True)
        ]

    def _refers(self, name: str) -> bool:
        return isinstance(self.info.args[name], Ref)

    def onnx(
        self,
        op: str,
        *inputs: SSAValue | Array | None,
        outputs: int = 1,
        domain: str = "",
        **attributes: Any,
    ) -> list[SSAValue]:
        """Build what the importer of an ONNX op builds for these inputs and attributes.

        Arrays are inputs that the importer reads as constants.
        """
        names = [self._named(value) for value in inputs]
        results = [f"{self.info.name}#{index}" for index in range(outputs)]
        kept = {name: value for name, value in attributes.items() if value is not None}
        node = make_node(op, names, results, domain=domain, **kept)
        specs = {n: spec_of(v) for n in names if n and (v := self.emitter.value(n)) is not None}
        constants = {name: self._constants[name] for name in names if name in self._constants}
        context = NodeContext(node, self.emitter, output_specs(node, specs, constants))
        return self._importers[domain, op].function(context)[:outputs]

    def _named(self, value: SSAValue | Array | None) -> str:
        """Give a value a name by which an importer finds it."""
        if value is None:
            return ""
        name = f"{self.info.name}.{len(self.emitter.values) + len(self._constants)}"
        if isinstance(value, SSAValue):
            self.emitter.values[name] = value
            if isinstance(value.owner, ConstOp):
                self._constants[name] = value.owner.array
            return name
        self._constants[name] = value
        return name

    def _value(self, argument: Any, name: str) -> SSAValue:
        if isinstance(argument, Ref):
            value = self.emitter.value(argument.name)
            if value is None:
                raise UnknownInput
            return value
        if isinstance(argument, bool | int | float):
            return self.const(np.asarray(argument, self.out().dtype.storage))
        raise NodeFault(f"argument '{name}' is {argument!r}, a tensor is expected")

    def _first(self) -> str:
        tensors = (name for name, value in self.info.args.items() if isinstance(value, Ref))
        return next(tensors, "")


def references(argument: object) -> Sequence[str]:
    """List the names of the values in an argument."""
    match argument:
        case Ref(name):
            return [name]
        case list() | tuple():
            return [name for each in argument for name in references(each)]
        case _:
            return []
