"""The walk over the converter's graph: one call a node, and the faults of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import UNKNOWN_LOC, ModuleOp, UnrealizedConversionCastOp
from xdsl.ir import Block, SSAValue
from xdsl.utils.exceptions import VerifyException

from ....dialects.dense import Array
from ....dialects.diagnostics import Fault
from ....dialects.faults.fault_groups import OpFault
from ....dialects.locations import named
from ....dialects.qti_aisw.ops.const import const
from ....dialects.spec_of import type_of
from ...importers.graph.emitter import Emitter, UnknownType, hinted
from ...importers.graph.function import main_function, module_of
from ...importers.graph.value import Value
from ...importers.support.faults import NodeFault
from .call import NetCall
from .file import Net, NetNode, NetRole
from .ops import imported


@dataclass(frozen=True)
class PartialNet:
    """The module of the nodes that can be imported, and the faults of the others by node.

    A Cast without operands represents each result of a faulty node.
    """

    module: ModuleOp
    faults: Mapping[str, Fault]


class _NetImport:
    def __init__(self, net: Net, data: Mapping[str, Array]) -> None:
        self.net = net
        self.data = data
        self.emitter = Emitter(Block(), {}, frozenset())
        self.values: dict[str, SSAValue] = {}
        self.faults: dict[str, Fault] = {}

    def run(self, name: str) -> PartialNet:
        inputs = [*self._named(NetRole.INPUT), *self._named(NetRole.BOTH)]
        for number, each in enumerate(inputs):
            type_ = type_of(self.net.tensors[each].spec)
            self.values[each] = hinted(self.emitter.block.insert_arg(type_, number), each)
        for node in self.net.nodes:
            self._node(node)
        outputs = [*self._named(NetRole.OUTPUT), *self._named(NetRole.BOTH)]
        self.emitter.location = UNKNOWN_LOC
        results = [(each, self._value(each)) for each in outputs]
        typed = [(each, value) for each, value in results if value is not None]
        for each in [each for each, value in results if value is None]:
            fault = Fault(f"tensor '{each}'", "is an output that nothing makes", "write it again")
            self.faults[f"output {each}"] = fault
        function = main_function(self.emitter.block, inputs, typed, name)
        return PartialNet(module_of(function), self.faults)

    def _named(self, role: NetRole) -> Sequence[str]:
        return [name for name, tensor in self.net.tensors.items() if tensor.role is role]

    def _node(self, node: NetNode) -> None:
        self.emitter.location = named(node.name)
        specs = [self.net.tensors[name].spec for name in node.outputs]
        try:
            inputs = [self._operand(name) for name in node.inputs]
            results = imported(NetCall(node, self.emitter, inputs, specs, dict(node.params)))
        except (NodeFault, VerifyException, UnknownType) as fault:
            remedy = fault.remedy if isinstance(fault, NodeFault) else NodeFault("").remedy
            where = f"node '{node.name}' ({node.op})"
            self.faults[node.name] = OpFault(
                where, str(fault), remedy, op=node.op, nodes=(node.name,)
            )
            casts = [UnrealizedConversionCastOp.create(result_types=[type_of(s)]) for s in specs]
            results = [self.emitter.add(cast)[0] for cast in casts]
        for name, value in zip(node.outputs, results, strict=True):
            self.values[name] = hinted(value, name)

    def _operand(self, name: str) -> Value | None:
        """Return an input of a node; None where it is absent."""
        if not name or self.net.tensors[name].role is NetRole.ABSENT:
            return None
        value = self._value(name)
        if value is None:
            raise NodeFault(f"reads '{name}', which nothing makes", "write the file again")
        return Value(value, self.emitter)

    def _value(self, name: str) -> SSAValue | None:
        """Return a tensor; a static one becomes a constant when it is first read."""
        if name not in self.values and name in self.data:
            op = const(self.data[name], self.net.tensors[name].spec)
            self.values[name] = hinted(self.emitter.add(op)[0], name)
        return self.values.get(name)


def import_partly(net: Net, data: Mapping[str, Array], name: str) -> PartialNet:
    """Return what can be imported of a graph of this name; `data` are those of static tensors."""
    return _NetImport(net, data).run(name)
