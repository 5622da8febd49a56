"""The walk over an exported program: one conversion a node, every fault of the module collected."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, fx
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.utils.exceptions import VerifyException

from .....dialects.dense import Array
from .....dialects.diagnostics import Fault, HtpError
from .....dialects.spec_of import spec_of, type_of
from ...aten.info import NodeInfo
from ...aten.node import AtenNode
from ...aten.ops.quantized import DEQUANTIZES, KEPT
from ...aten.registry import Convert, of_op
from ...graph.arrays import UnknownType
from ...graph.emitter import Emitter, hinted
from ...graph.function import main_function, module_of
from ...graph.transposes import cancel_transposes
from ...onnx.support.faults import NodeFault, UnknownInput
from ...onnx.support.registry import OnnxImporter
from .nodes import as_list, info_of, is_random, op_of, result_names
from .outputs import output_names
from .refusals import refusal
from .sizes import read_sizes
from .tensors import array_of, spec_of_tensor

_WRITTEN = {
    OutputKind.BUFFER_MUTATION: "buffer",
    OutputKind.USER_INPUT_MUTATION: "input",
    OutputKind.PARAMETER_MUTATION: "parameter",
}

_FORWARD = "forward"
"""The method that an exported program is of."""


class ProgramImport:
    """One exported program on its way to a module."""

    def __init__(
        self,
        program: ExportedProgram,
        conversions: Mapping[str, Convert],
        importers: Mapping[tuple[str, str], OnnxImporter],
        dims: Mapping[str, int],
        otherwise: Convert | None,
    ) -> None:
        self.program, self.conversions, self.importers = program, conversions, importers
        self.otherwise = otherwise
        self.sizes, self.faults = read_sizes(program, dims)
        self.block = Block()
        self.constants: dict[str, Array] = {}
        self.tensors: dict[str, Tensor] = {}
        """The tensors of PyTorch that are constant, by node: parameters, and what follows."""
        self.numbers: dict[str, Any] = {}
        """The numbers of Python by node: arguments, and sizes of dims."""
        self.emitter = Emitter(self.block, self.constants, frozenset())

    def run(self) -> ModuleOp:
        """Return the module; HtpError with every fault of the program."""
        if self.faults:
            # Without its sizes nothing else can be said.
            raise HtpError(*self.faults)
        names = self._inputs()
        for node in self.program.graph.nodes:
            if node.op == "call_function":
                self._node(node)
        results = self._outputs()
        if self.faults:
            raise HtpError(*self.faults)
        function = main_function(self.block, names, results, _FORWARD)
        cancel_transposes(function)
        module = module_of(function)
        module.verify()
        return module

    def _inputs(self) -> list[str]:
        """Bind the arguments, and the parameters and buffers as constants."""
        state = {**self.program.state_dict, **self.program.constants}
        specs = {spec.arg.name: spec for spec in self.program.graph_signature.input_specs}
        names: list[str] = []
        for node in self.program.graph.find_nodes(op="placeholder"):
            spec, value = specs[node.name], node.meta.get("val")
            if spec.kind is not InputKind.USER_INPUT:
                self._keep(node.name, state[spec.target])
            elif isinstance(value, Tensor):
                names.append(node.name)
                self._argument(node, value)
            else:
                self.numbers[node.name] = self.sizes.number(value)
        return names

    def _argument(self, node: fx.Node, value: Tensor) -> None:
        try:
            spec = spec_of_tensor(value, self.sizes)
        except UnknownType as problem:
            self.faults.append(Fault(f"input '{node.name}'", str(problem), "cast it before"))
            spec = None
        if spec is None:
            self.emitter.values[node.name] = None
            return
        argument = self.block.insert_arg(type_of(spec), len(self.block.args))
        self.emitter.values[node.name] = hinted(argument, node.name)

    def _keep(self, name: str, value: object) -> None:
        """Note a constant, a tensor or a number."""
        if not isinstance(value, Tensor):
            self.numbers[name] = value
            return
        self.tensors[name] = value
        try:
            self.constants[name] = array_of(value)
        except UnknownType:
            # A constant of another dtype may still be cast, at import, to one of ours.
            return

    def _node(self, node: fx.Node) -> None:
        if node.target is operator.getitem and node.args[0].op == "call_function":
            # One result of a node that has several.
            name = f"{node.args[0].name}#{node.args[1]}"
            if name in self.tensors:
                self._keep(node.name, self.tensors[name])
            else:
                self.emitter.values[node.name] = self.emitter.values[name]
        elif not isinstance(node.meta.get("val"), Tensor | list | tuple):
            self._number(node)
        elif not isinstance(node.target, torch._ops.OpOverload):
            problem = f"{node.target} is no op"
            self.faults.append(Fault(f"node '{node.name}'", problem, "express it in ops of torch"))
            self._bind(node, [])
        elif self._is_constant(node):
            args = fx.map_arg((node.args, node.kwargs), self._constant)
            with torch.no_grad():
                results = as_list(node.target(*args[0], **args[1]))
            for name, result in zip(result_names(node), results, strict=True):
                self._keep(name, result)
        else:
            info = info_of(node, self.sizes, self.numbers)
            self.emitter.location = info.location
            self._bind(node, self._converted(node, info))

    def _number(self, node: fx.Node) -> None:
        """Note a number, such as the size of a dim; what returns nothing asserts something."""
        value = self.sizes.number(node.meta.get("val"))
        if isinstance(value, torch.SymInt | torch.SymFloat | torch.SymBool):
            # A number of a tensor: what follows from it has no fault of its own.
            self.emitter.values[node.name] = None
            inputs = [self.emitter.values.get(n.name, node) for n in node.all_input_nodes]
            if isinstance(node.target, torch._ops.OpOverload) and None not in inputs:
                where = info_of(node, self.sizes, self.numbers).where
                fault = refusal(op_of(node))
                self.faults.append(Fault(where, fault.problem, fault.remedy))
            return
        self.numbers[node.name] = value
        asserted = [self.numbers.get(each.name) for each in node.all_input_nodes]
        if value is None and False in asserted:
            message = next((each for each in node.args if isinstance(each, str)), "does not hold")
            self.faults.append(Fault(f"node '{node.name}'", message, "use other dims"))

    def _is_constant(self, node: fx.Node) -> bool:
        """Tell whether a node is computed now: all its tensors are constant, none is random."""
        inputs = [each.name for each in node.all_input_nodes]
        if node.target._schema.is_mutable or is_random(node):
            return False
        if of_op(KEPT, op_of(node)):
            return False
        if not inputs and of_op(self.conversions, op_of(node)) is not None:
            return False
        return all(name in self.tensors or name in self.numbers for name in inputs)

    def _constant(self, node: fx.Node) -> object:
        return self.numbers[node.name] if node.name in self.numbers else self.tensors[node.name]

    def _bind(self, node: fx.Node, values: Sequence[SSAValue | None]) -> None:
        names = result_names(node)
        for name, value in zip(names, [*values, *[None] * len(names)], strict=False):
            self.emitter.values[name] = None if value is None else hinted(value, name)

    def _converted(self, node: fx.Node, info: NodeInfo) -> Sequence[SSAValue | None]:
        """Build a node's ops; nothing where there is a fault."""
        convert = of_op(self.conversions, info.op) or (None if is_random(node) else self.otherwise)
        is_known = all(self.emitter.values.get(name, info) is not None for name in info.refs)
        try:
            # An op that takes no tensors is computed here, once its numbers have no fault.
            if convert is None and (is_known or info.tensors):
                raise refusal(info.op)
            if convert is None or not is_known:
                raise UnknownInput
            for name in self.tensors.keys() & {*info.refs} - self.constants.keys():
                dtype = str(self.tensors[name].dtype).removeprefix("torch.")
                raise NodeFault(f"constant '{name}' has element type {dtype}", "cast it before")
            for name in info.refs if of_op(DEQUANTIZES, info.op) is None else ():
                value = self.emitter.values.get(name)
                if value is not None and spec_of(value).quant is not None:
                    problem = f"'{name}' is quantised, the op would work on its stored integers"
                    raise NodeFault(problem, "dequantise it before")
            context = AtenNode(info, self.emitter, self.constants, self.importers)
            results = convert(context)
            values = [results] if isinstance(results, SSAValue) else results
            self._check(info, values)
            return values
        except UnknownInput:
            pass
        except NodeFault as fault:
            self.faults.append(Fault(info.where, fault.problem, fault.remedy))
        except (VerifyException, UnknownType) as problem:
            own = NodeFault(str(problem))
            self.faults.append(Fault(info.where, own.problem, own.remedy))
        return []

    def _check(self, info: NodeInfo, values: Sequence[SSAValue | None]) -> None:
        """Refuse results that are not what PyTorch says."""
        for index, wanted in enumerate(info.outputs):
            value = values[index] if index < len(values) else None
            if value is None and index in info.used:
                raise NodeFault(f"result {index} is not converted", "do without it")
            if value is None or wanted is None:
                continue
            spec = spec_of(value)
            # PyTorch has no dtype for an encoding.
            same = spec.quant is not None or spec.dtype is wanted.dtype
            if spec.shape != wanted.shape or not same:
                problem = f"becomes {spec.shape} {spec.dtype.name}"
                raise NodeFault(f"{problem}, PyTorch says {wanted.shape} {wanted.dtype.name}")

    def _outputs(self) -> list[tuple[str, SSAValue]]:
        """Name the results; a number is a scalar, None is left out."""
        values = self.program.graph.output_node().args[0]
        users: list[Any] = []
        for spec, value in zip(self.program.graph_signature.output_specs, values, strict=True):
            if spec.kind is OutputKind.USER_OUTPUT:
                users.append(value)
            elif spec.kind in _WRITTEN:
                problem = "is written by the module, and its state would be lost"
                remedy = "use Buffer, StatefulGru or StatefulLstm, or return the new state"
                where = f"{_WRITTEN[spec.kind]} '{spec.target}'"
                self.faults.append(Fault(where, problem, remedy))
        named = zip(output_names(self.program.call_spec.out_spec, users), users, strict=True)
        results = [(name, self._result(value)) for name, value in named if value is not None]
        return [(name, value) for name, value in results if value is not None]

    def _result(self, output: object) -> SSAValue | None:
        name = output.name if isinstance(output, fx.Node) else ""
        number = self.numbers.get(name, None if name else output)
        if number is None:
            return self.emitter.value(name)
        return self.emitter.const(array_of(torch.tensor(number)))
