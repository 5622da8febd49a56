"""The walk over an exported program: one conversion a node, every fault of the module collected."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, fx
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind
from xdsl.dialects.builtin import (
    ModuleOp,
)
from xdsl.ir import Block, SSAValue
from xdsl.utils.exceptions import VerifyException

from .....dialects.dense import Array
from .....dialects.diagnostics import Fault, HtpError
from .....dialects.spec_of import spec_of, type_of
from .....dialects.value.spec import TensorSpec
from ...graph.arrays import UnknownType, spec_of_array
from ...graph.emitter import Emitter, hinted
from ...graph.function import main_function
from ...graph.transposes import cancel_transposes
from ...onnx.support.faults import NodeFault, UnknownInput
from ...onnx.support.registry import OnnxImporter
from .node import AtenNode, NodeInfo, Ref, references
from .registry import Convert
from .source import line_of
from .tensors import array_of, spec_of_tensor

Find = Callable[[str], Convert | None]
"""Finds the conversion of an op."""


class ProgramImport:
    """One exported program on its way to a module."""

    def __init__(
        self,
        program: ExportedProgram,
        find: Find,
        importers: Mapping[tuple[str, str], OnnxImporter],
    ) -> None:
        self.program, self.find, self.importers = program, find, importers
        self.faults: list[Fault] = []
        self.block = Block()
        self.constants: dict[str, Array] = {}
        self.tensors: dict[str, Tensor] = {}
        """The tensors of PyTorch that are constant, by node: parameters, and what follows."""
        self.emitter = Emitter(self.block, self.constants, frozenset())

    def run(self) -> ModuleOp:
        """Return the module; HtpError with every fault of the program."""
        names = self._inputs()
        for node in self.program.graph.nodes:
            if node.op == "call_function":
                self._node(node)
        results = self._outputs()
        if self.faults:
            raise HtpError(*self.faults)
        function = main_function(self.block, names, results)
        cancel_transposes(function)
        module = ModuleOp([function])
        module.verify()
        return module

    def _inputs(self) -> list[str]:
        """Bind the arguments, and the parameters and buffers as constants."""
        state = {**self.program.state_dict, **self.program.constants}
        specs = {spec.arg.name: spec for spec in self.program.graph_signature.input_specs}
        names: list[str] = []
        for node in self.program.graph.find_nodes(op="placeholder"):
            spec = specs[node.name]
            if spec.kind is not InputKind.USER_INPUT:
                self._keep(node.name, state[spec.target])
            elif isinstance(node.meta.get("val"), Tensor):
                names.append(node.name)
                self._argument(node)
        return names

    def _argument(self, node: fx.Node) -> None:
        try:
            spec = spec_of_tensor(node.meta["val"])
        except UnknownType as problem:
            self.faults.append(Fault(f"input '{node.name}'", str(problem), "cast it before"))
            self.emitter.values[node.name] = None
            return
        if spec is None:
            remedy = "give each dim a size: dims={'name': 8}"
            self.faults.append(Fault(f"input '{node.name}'", "has no static shape", remedy))
            self.emitter.values[node.name] = None
            return
        argument = self.block.insert_arg(type_of(spec), len(self.block.args))
        self.emitter.values[node.name] = hinted(argument, node.name)

    def _keep(self, name: str, tensor: Tensor) -> None:
        """Note a constant; an element type that graph IR has no word for is a fault once used."""
        self.tensors[name] = tensor
        try:
            self.constants[name] = array_of(tensor)
            spec_of_array(self.constants[name])
        except UnknownType as problem:
            self.faults.append(Fault(f"constant '{name}'", str(problem), "cast it before"))

    def _node(self, node: fx.Node) -> None:
        if node.target is operator.getitem:
            self._item(node)
            return
        if not isinstance(node.target, torch._ops.OpOverload):
            problem = f"{node.target} is no op"
            self.faults.append(Fault(f"node '{node.name}'", problem, "express it in ops of torch"))
            return
        if not node.target._schema.returns:
            # It only asserts what the example inputs made true.
            return
        info = self._info(node)
        refs = [name for argument in info.args.values() for name in references(argument)]
        if all(name in self.tensors for name in refs) and not node.target._schema.is_mutable:
            self._fold(node)
            return
        self.emitter.location = info.location
        for name, value in zip(_names(node), self._converted(info), strict=False):
            self.emitter.values[name] = None if value is None else hinted(value, name)

    def _converted(self, info: NodeInfo) -> Sequence[SSAValue | None]:
        """Build a node's ops; None for each result where there is a fault."""
        convert = self.find(info.op)
        try:
            if convert is None:
                remedy = f'give it one: @CONVERSIONS.conversion("{info.op}")'
                raise NodeFault("the op has no conversion", remedy)
            node = AtenNode(info, self.emitter, self.constants, self.importers)
            results = convert(node)
            values = results if isinstance(results, list) else [results]
            self._check(info, values)
            return values
        except UnknownInput:
            pass
        except NodeFault as fault:
            self.faults.append(Fault(info.where, fault.problem, fault.remedy))
        except (VerifyException, UnknownType) as problem:
            refusal = NodeFault(str(problem))
            self.faults.append(Fault(info.where, refusal.problem, refusal.remedy))
        return [None] * len(info.outputs)

    def _check(self, info: NodeInfo, values: Sequence[SSAValue]) -> None:
        """Refuse results that are not what PyTorch says."""
        for value, wanted in zip(values, info.outputs, strict=False):
            spec = spec_of(value)
            if wanted is not None and (spec.shape, spec.dtype) != (wanted.shape, wanted.dtype):
                problem = f"becomes {spec.shape} {spec.dtype.name}"
                raise NodeFault(f"{problem}, PyTorch says {wanted.shape} {wanted.dtype.name}")

    def _fold(self, node: fx.Node) -> None:
        """Compute a node whose tensors are all constant."""
        args, kwargs = fx.map_arg((node.args, node.kwargs), lambda each: self.tensors[each.name])
        with torch.no_grad():
            results = node.target(*args, **kwargs)
        for name, tensor in zip(_names(node), _listed(results), strict=False):
            self._keep(name, tensor)

    def _item(self, node: fx.Node) -> None:
        """Pick one result of a node."""
        source, index = node.args
        name = f"{source.name}#{index}"
        if name in self.tensors:
            self._keep(node.name, self.tensors[name])
        else:
            self.emitter.values[node.name] = self.emitter.values[name]

    def _info(self, node: fx.Node) -> NodeInfo:
        schema = node.target._schema
        args: dict[str, Any] = {}
        for place, argument in enumerate(schema.arguments):
            default = argument.default_value if argument.has_default_value() else None
            positional = place < len(node.args)
            value = node.args[place] if positional else node.kwargs.get(argument.name, default)
            args[argument.name] = fx.map_arg(value, lambda each: Ref(each.name))
        outputs = tuple(self._spec(each) for each in _listed(node.meta["val"]))
        name = f"{node.target.namespace}.{node.target.__name__}"
        tensors = frozenset(a.name for a in schema.arguments if "Tensor" in str(a.type))
        return NodeInfo(node.name, name, args, tensors, outputs, line_of(node))

    def _spec(self, tensor: object) -> TensorSpec | None:
        if not isinstance(tensor, Tensor):
            return None
        try:
            return spec_of_tensor(tensor)
        except UnknownType:
            return None

    def _outputs(self) -> list[tuple[str, SSAValue]]:
        results: list[tuple[str, SSAValue]] = []
        for spec in self.program.graph_signature.output_specs:
            if spec.kind is OutputKind.BUFFER_MUTATION:
                problem = "is written by the module, and its state would be lost"
                remedy = "use Buffer, StatefulGru or StatefulLstm, or return the new state"
                self.faults.append(Fault(f"buffer '{spec.target}'", problem, remedy))
            elif spec.kind is OutputKind.USER_OUTPUT and spec.arg.name:
                value = self.emitter.value(spec.arg.name)
                if value is not None:
                    results.append((spec.arg.name, value))
        return results


def _listed(value: object) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def _names(node: fx.Node) -> list[str]:
    """Name the results of a node: by its name, and where it has several, with their number."""
    values = node.meta["val"]
    if not isinstance(values, list | tuple):
        return [node.name]
    return [f"{node.name}#{index}" for index in range(len(values))]
