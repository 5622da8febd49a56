"""The context of a conversion: one node's arguments by name, and a builder of graph ops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from onnx.helper import make_node
from xdsl.ir import SSAValue

from ....dialects.dense import Array
from ....dialects.qti_aisw.ops.const import ConstOp
from ....dialects.spec_of import plain_element_type, spec_of
from ....dialects.value.dtypes import DType
from ....dialects.value.spec import TensorSpec
from ..graph.builder import GraphBuilder
from ..onnx.support.context import NodeContext
from ..onnx.support.faults import NodeFault
from ..onnx.support.registry import OnnxImporter
from .info import NodeInfo, Ref
from .onnx_node import output_specs


class AtenNode(GraphBuilder):
    """One node under conversion: `info` as PyTorch has it, and a builder of graph ops."""

    def __init__(
        self,
        info: NodeInfo,
        context: NodeContext,
        importers: Mapping[tuple[str, str], OnnxImporter],
    ) -> None:
        super().__init__(context.emitter)
        self.info = info
        self._context = context
        self._importers = importers

    # arguments

    def given(self, name: str) -> bool:
        """Tell whether an argument is there and not None."""
        return self.info.args.get(name) is not None

    def argument(self, name: str) -> Any:
        """Return an argument that is not a tensor: a number, a list, text; None if absent."""
        return self.info.args.get(name)

    def first(self, *names: str) -> str:
        """Return the first of several names that the schema has."""
        return next(name for name in names if name in self.info.args)

    def value(self, name: str) -> SSAValue:
        """Return a tensor argument; a number becomes a scalar of the result's dtype."""
        return self.tensor(self.info.args[name], name)

    def optional(self, name: str) -> SSAValue | None:
        """Return a tensor argument that may be left out."""
        return self.value(name) if self.given(name) else None

    def values(self, name: str) -> list[SSAValue]:
        """Return a list of tensors."""
        return [self.tensor(each, name) for each in self.info.args[name]]

    def tensor(self, argument: object, name: str) -> SSAValue:
        """Return what an argument of this name, or a part of it, represents.

        NodeFault where it is neither a tensor nor a number.
        """
        if isinstance(argument, Ref):
            return self._context.value(self.info.refs.index(argument.name))
        if isinstance(argument, bool | int | float):
            return self.const(np.asarray(argument, self.out().dtype.storage))
        raise NodeFault(f"argument '{name}' is {argument!r}, a tensor is expected")

    def constant(self, argument: object, name: str) -> Array:
        """Return the data of a tensor that must be constant; NodeFault where it is not."""
        array = None
        if isinstance(argument, Ref):
            value = self._context.node.input[self.info.refs.index(argument.name)]
            array = self.emitter.constants.get(value)
        if array is None:
            raise NodeFault(f"argument '{name}' is not constant", "make it a buffer")
        return array

    def axis(self, name: str = "dim") -> int:
        """Return a dim of the first tensor argument, counted from the front."""
        first = next(v for v in self.info.args.values() if isinstance(v, Ref))
        rank = max(1, len(self.shape(self.tensor(first, name))))
        return int(self.info.args[name]) % rank

    # results

    def out(self, index: int = 0) -> TensorSpec:
        """Return the spec of a result; NodeFault where it is not static."""
        spec = self.info.outputs[index] if index < len(self.info.outputs) else None
        if spec is None:
            raise NodeFault(
                f"result {index} has no static shape or no known dtype",
                "fix the dims: dims={...}, or cast",
            )
        return spec

    def uses(self, index: int) -> bool:
        """Tell whether something asks for a result."""
        return index in self.info.used

    def require(self, condition: bool, problem: str, remedy: str = "") -> None:
        """Raise a NodeFault, which names this node, unless the condition holds."""
        if not condition:
            raise NodeFault(problem, remedy)

    # dtypes

    def cast(self, value: SSAValue, dtype: DType) -> SSAValue:
        """Return the value in a dtype; itself where it has it."""
        if self.dtype(value) is dtype:
            return value
        if isinstance(value.owner, ConstOp):
            return self.const(value.owner.array.astype(dtype.storage))
        return self.emit("Cast", value, to=plain_element_type(dtype))

    def as_out(self, name: str) -> SSAValue:
        """Return a tensor argument in the dtype of the result."""
        return self.cast(self.value(name), self.out().dtype)

    # nodes of ONNX

    def one(self, op: str, *inputs: SSAValue | Array | None, **attributes: Any) -> SSAValue:
        """Build what the importer of an ONNX op builds; return its first result."""
        return self.onnx(op, *inputs, **attributes)[0]

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
        constants = {
            name: self.emitter.constants[name] for name in names if name in self.emitter.constants
        }
        context = NodeContext(node, self.emitter, output_specs(node, specs, constants))
        values = self._importers[domain, op].function(context)[:outputs]
        return [value for value in values if value is not None]

    def _named(self, value: SSAValue | Array | None) -> str:
        """Give a value a name by which an importer finds it."""
        if value is None:
            return ""
        name = f"{self.info.name}.{len(self.emitter.values) + len(self.emitter.constants)}"
        if isinstance(value, SSAValue):
            self.emitter.values[name] = value
            if isinstance(value.owner, ConstOp):
                self.emitter.constants[name] = value.owner.array
            return name
        self.emitter.constants[name] = value
        return name
