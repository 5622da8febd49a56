"""The walk over a prepared graph: one importer call a node, every fault of the model collected."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from onnx import GraphProto, NodeProto, ValueInfoProto
from xdsl.dialects.builtin import ModuleOp, UnrealizedConversionCastOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ....dialects.diagnostics import Fault, HtpError, fail
from ....dialects.faults.op_faults import grouped, raised
from ....dialects.locations import note_names
from ....dialects.qti_aisw import ConstOp
from ....dialects.spec_of import Array, spec_of, text, type_of
from ....dialects.value import DType, Quant, TensorSpec
from ....dialects.value.limits import MAX_TENSOR_BYTES
from ....runtime.files.budget import BYTES, budget
from ...importers.graph.transposes import Views, cancel_transposes
from ...importers.graph.value import Emitter, UnknownType, hinted, main_function, module_of, unread
from ...importers.support.attributes import key_of
from ...importers.support.registry import (
    NodeContext,
    NodeFault,
    OnnxImporter,
    UnknownInput,
    require,
)
from ...importers.support.types import QUANTIZED, SUPPORTED, dtype_of_onnx, spec_of_onnx
from .preparation.nodes import location_of_node, node_fault, op_of, where
from .preparation.prepare import Prepared
from .preparation.sizes import real_inputs
from .preparation.supported import Supported


def _input_encoding(
    name: str, dtype: DType, graph: GraphProto, constants: Mapping[str, Array], supported: Supported
) -> tuple[DType, Quant] | None:
    """Return the encoding of an input that each reader dequantises, maybe after it was moved.

    None where it is not an integer of 8 or 16 bits, or something reads it in another way.
    """
    if dtype not in QUANTIZED or any(value.name == name for value in graph.output):
        return None
    stated = set(_stated(name, graph, constants, supported))
    (encoding, *others) = stated or {None}
    return None if encoding is None or others else (QUANTIZED[dtype], encoding)


def _stated(
    name: str, graph: GraphProto, constants: Mapping[str, Array], supported: Supported
) -> Iterator[Quant | None]:
    """Yield the encoding that each reader of a value goes by; None for one that has none."""
    moved = {name}
    for node in graph.node:
        read = [each for each in node.input if each in moved]
        if not read:
            continue
        importer = supported.importer(op_of(node))
        if op_of(node) == ("", "DequantizeLinear"):
            yield _quant(node, constants)
        elif importer is not None and importer.keeps_stored and len({*read}) == len(read):
            moved.update(filter(None, node.output))
        else:
            yield None


def _quant(node: NodeProto, constants: Mapping[str, Array]) -> Quant | None:
    """Return the one scale and zero point of a DequantizeLinear; None where there are others."""
    scale, *zeros = (constants.get(name) for name in node.input[1:] if name)
    zero = zeros[0] if zeros else np.zeros(1, np.int64)
    if scale is None or zero is None or scale.size != 1 or scale.dtype != np.float32:
        return None
    return Quant((float(scale.item()),), (int(zero.item()),))


def _kind_fault(role: str, value: ValueInfoProto) -> Fault | None:
    """Return the fault of an input or output of a kind other than tensors; else None."""
    kind = value.type.WhichOneof("value") or "tensor_type"
    if kind == "tensor_type":
        return None
    problem = f"is no tensor, but of the kind {kind.removesuffix('_type').replace('_', ' ')}"
    return Fault(f"{role} '{value.name}'", problem, f"supported are {SUPPORTED}")


def import_graph(prepared: Prepared, supported: Supported) -> ModuleOp:
    """Return the module of a prepared graph; HtpError with every fault of the model."""
    partial = import_partly(prepared, supported)
    if partial.faults:
        raise HtpError(*grouped(dict.fromkeys(partial.faults)))
    partial.module.verify()
    note_names(partial.module, partial.tensors())
    return partial.module


@dataclass(frozen=True)
class Partial:
    """The module of the nodes that can be imported, and the faults of the others.

    A Cast without operands represents each result of a faulty node, and what such nodes alone read
    is among the outputs. `skipped` names the nodes that read such a result, which were not looked
    at: by the node's name, or that of its first output.
    `values` are those that the nodes' outputs were at first, `gone` what became of them.
    """

    module: ModuleOp
    faults: tuple[Fault, ...]
    skipped: frozenset[str]
    values: Mapping[str, SSAValue | None]
    gone: Views
    constants: Mapping[SSAValue, Sequence[str]]

    def tensors(self) -> dict[str, SSAValue]:
        """Return the values of the module by the names of the model's tensors."""
        named: dict[str, SSAValue] = {}
        for name, value in self.values.items():
            if value is not None:
                while value in self.gone:
                    value, _ = self.gone[value]
                named[name] = value
        for value, names in self.constants.items():
            named |= dict.fromkeys(names if value.owner.parent else (), value)
        return named


def import_partly(prepared: Prepared, supported: Supported) -> Partial:
    """Return what can be imported of a prepared graph, with every fault of the model."""
    walk = _Import(prepared, supported)
    module = walk.run()
    skipped = frozenset(walk.skipped)
    emitter = walk.emitter
    return Partial(module, tuple(walk.faults), skipped, emitter.values, walk.gone, emitter.names)


class _Counted(Emitter):
    """An emitter that counts the bytes of all constants that it makes, in each form."""

    nbytes = 0

    def add(self, op: Operation) -> Sequence[SSAValue]:
        self.nbytes += op.array.nbytes if isinstance(op, ConstOp) else 0
        return super().add(op)


class _Import:
    def __init__(self, prepared: Prepared, supported: Supported) -> None:
        self.prepared = prepared
        self.supported = supported
        self.graph = prepared.graph
        self.faults = list(prepared.faults)
        self.skipped: list[str] = []
        self.block = Block()
        self.gone: Views = {}
        used = {name for node in self.graph.node for name in node.input}
        used |= {value.name for value in self.graph.output}
        # A weight has at most three forms; what nodes compute besides may take half of the budget.
        self.own = 3 * sum(array.nbytes for array in prepared.constants.values())
        self.emitter = _Counted(self.block, prepared.constants, frozenset(used))

    def run(self) -> ModuleOp:
        names = [value.name for value in self._inputs()]
        last = {name: index for index, node in enumerate(self.graph.node) for name in node.input}
        kept = {value.name for value in self.graph.output}
        for index, node in enumerate(self.graph.node):
            self._node(node)
            self._afford(node)
            # A weight that was turned round need not stay in its first form too.
            for name in {name for name in node.input if last[name] == index} - kept:
                self.emitter.forget(name)
        results = [self._output(value) for value in self.graph.output]
        if None in results and not self.faults:
            remedy = "make its shape follow from constants, or fix the model's dims"
            for value, result in zip(self.graph.output, results, strict=True):
                if result is None:
                    fault = Fault(f"output '{value.name}'", "has no static type", remedy)
                    self.faults.append(_kind_fault("output", value) or fault)
        outputs = zip((value.name for value in self.graph.output), results, strict=True)
        typed = [(name, value) for name, value in outputs if value is not None]
        if self.faults:
            typed += unread(self.emitter.values, last, [value for _, value in typed])
        function = main_function(self.block, names, typed, self.graph.name or "graph")
        self.gone = cancel_transposes(function, self.emitter.names)
        return module_of(function)

    def _inputs(self) -> list[ValueInfoProto]:
        """Bind the inputs; a placeholder is not an argument."""
        inputs = real_inputs(self.graph)
        kept = []
        for value in inputs:
            if value.name in self.prepared.placeholders:
                (self.emitter.values[value.name],) = self._substitutes([spec_of_onnx(value.type)])
                continue
            kept.append(value)
            try:
                spec = self._input_spec(value)
            except HtpError as error:
                self.faults += error.faults
                self.emitter.values[value.name] = None
                continue
            argument = self.block.insert_arg(type_of(spec), len(self.block.args))
            self.emitter.values[value.name] = hinted(argument, value.name)
        return kept

    def _input_spec(self, value: ValueInfoProto) -> TensorSpec:
        named, types = f"input '{value.name}'", f"supported are {SUPPORTED}"
        if fault := _kind_fault("input", value):
            raise HtpError(fault)
        try:
            dtype_of_onnx(value.type.tensor_type.elem_type)
        except UnknownType as problem:
            raise fail(named, str(problem), types) from problem
        spec = spec_of_onnx(value.type)
        if spec is None:
            raise fail(named, "has no shape", "export one; dims may be names, which --dim fixes")
        constants, graph = self.prepared.constants, self.graph
        encoding = _input_encoding(value.name, spec.dtype, graph, constants, self.supported)
        return spec if encoding is None else TensorSpec(spec.shape, *encoding)

    def _placeholder(self, spec: TensorSpec) -> SSAValue:
        """Make a value in place of one whose maker has a fault."""
        op = UnrealizedConversionCastOp.create(result_types=[type_of(spec)])
        return self.emitter.add(op)[0]

    def _node(self, node: NodeProto) -> None:
        specs = [self._spec(name) for name in node.output]
        context = NodeContext(node, self.emitter, specs)
        name = node.name or next(iter(node.output), "")
        self.emitter.location = self.prepared.locations.get(key_of(node)) or location_of_node(node)
        try:
            results = self._imported(context)
        except UnknownInput:
            # Without a fault it is a rest of a sequence, whose elements its readers have taken.
            if self.faults:
                self.skipped.append(name)
            results = self._substitutes(specs)
        except NodeFault as fault:
            self.faults.append(node_fault(node, fault.problem, fault.remedy))
            results = self._substitutes(specs)
        except (VerifyException, UnknownType) as problem:
            refusal = NodeFault(str(problem))
            self.faults.append(node_fault(node, refusal.problem, refusal.remedy))
            results = self._substitutes(specs)
        for name, value in zip(node.output, results, strict=False):
            self.emitter.values[name] = None if value is None else hinted(value, name)

    def _afford(self, node: NodeProto) -> None:
        """Raise HtpError where the nodes up to this one have made too many constants."""
        extra = self.emitter.nbytes - self.own
        if extra > budget.get() // 2:
            problem = f"it and nodes before it make constants of {extra} bytes"
            remedy = f"give --limit {BYTES}={2 * extra} if you trust the file, or make it smaller"
            raise fail(where(node), problem, remedy)

    def _imported(self, context: NodeContext) -> Sequence[SSAValue | None]:
        importer = self.supported.importer(op_of(context.node))
        refusal = self.prepared.refusals.get(key_of(context.node))
        if importer is None or refusal is not None:
            raise refusal or UnknownInput
        # Arithmetic on the stored integers of a quantised tensor would be wrong.
        for name in () if importer.keeps_stored else context.node.input:
            value = self.emitter.values.get(name)
            if value is not None and spec_of(value).quant is not None:
                problem = f"input '{name}' is quantised, the op would work on its stored integers"
                raise NodeFault(problem, "put DequantizeLinear before it")
        results = self._built(context, importer)
        context.check_all_read()
        if not self.faults:
            self._check_results(context, results)
        return results

    def _built(self, context: NodeContext, importer: OnnxImporter) -> Sequence[SSAValue | None]:
        """Build a node's ops; whatever an importer of a package raises is a fault of it."""
        try:
            results = importer.build(context)
        except (NodeFault, UnknownInput, VerifyException, UnknownType, HtpError):
            raise
        except Exception as error:
            if not self.supported.is_foreign(importer.key):
                raise
            remedy = "fix the package that brings it"
            raise NodeFault(f"its importer fails: {raised(error)}", remedy) from error
        used = [i + 1 for i in range(len(context.node.output)) if context.uses(i)]
        asked = max(used, default=0)
        require(len(results) >= asked, f"its importer gives {len(results)} of {asked} outputs")
        return [None if each is None else each.ssa for each in results]

    def _check_results(self, context: NodeContext, results: Sequence[SSAValue | None]) -> None:
        """Refuse results whose types are not what ONNX infers."""
        for name, value, wanted in zip(context.node.output, results, context.outputs, strict=False):
            if not name or wanted is None or value is None:
                continue
            spec = spec_of(value)
            same = spec.dtype in (wanted.dtype, QUANTIZED.get(wanted.dtype))
            if spec.shape != wanted.shape or not same:
                raise NodeFault(
                    f"output '{name}' becomes {text(spec.shape)} {spec.dtype.name}, "
                    f"the model says {text(wanted.shape)} {wanted.dtype.name}"
                )

    def _substitutes(self, specs: Sequence[TensorSpec | None]) -> list[SSAValue | None]:
        """Make values in place of results; None where no value can be of that type."""
        fit = (None if s is None or s.nbytes > MAX_TENSOR_BYTES else s for s in specs)
        return [None if spec is None else self._placeholder(spec) for spec in fit]

    def _spec(self, name: str) -> TensorSpec | None:
        type_ = self.prepared.types.get(name)
        return spec_of_onnx(type_) if name and type_ is not None else None

    def _output(self, output: ValueInfoProto) -> SSAValue | None:
        try:
            return self.emitter.value(output.name)
        except UnknownType as problem:
            fault = Fault(f"output '{output.name}'", str(problem), f"supported are {SUPPORTED}")
            self.faults.append(fault)
        except KeyError:
            # Nothing makes it, which is one of the faults already.
            pass
        return None
