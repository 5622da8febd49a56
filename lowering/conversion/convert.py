"""The conversion of a module: graph ops of each function become native ops, op by op.

A tensor of an element type that HTP lacks is a fault, which says what would help.
"""

from collections.abc import Iterator, Mapping
from typing import Protocol

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.diagnostics import Fault, HtpError
from ...dialects.faults.op_faults import fault_at, grouped, raised
from ...dialects.htp.base import native
from ...dialects.htp.ops.movement import ReshapeOp
from ...dialects.locations import location_of, location_of_copy
from ...dialects.qti_aisw import ConstOp, GraphOp
from ...dialects.qti_aisw.ops.movement import ReshapeOp as GraphReshapeOp
from ...dialects.spec_of import plain_element_type, spec_of
from ...dialects.value import INSTEAD
from ...runtime.installed.universe import guests, way_down
from ...runtime.kernel.library import KernelRegistry
from ...runtime.program.boundary import MAIN, inputs_of
from ..rules.graph.graph import GRAPH
from .builder import (
    Builder,
    Conversion,
    ConversionFault,
    Declared,
    conversion_sketch,
    keys,
    native_spec,
    rank4,
)
from .ranks.reduce import way_to_rank_4

_INSTEAD: dict[Attribute, Attribute] = {
    plain_element_type(dtype): plain_element_type(instead) for dtype, instead in INSTEAD.items()
}
"""For each element type that HTP lacks the nearest one that it has."""

_NONE = "which no tensor on HTP has"


def lacking(value: SSAValue) -> Attribute | None:
    """Return the element type of a tensor where HTP lacks it."""
    element = value.type.element_type if isinstance(value.type, TensorType) else None
    return element if element in _INSTEAD else None


def lacking_at(op: Operation) -> Attribute | None:
    """Return the first such element type of an op's operands and results."""
    elements = (lacking(value) for value in (*op.operands, *op.results))
    return next((element for element in elements if element is not None), None)


def type_faults(function: FuncOp) -> Iterator[Fault]:
    """Return a fault for each input and each result of such a type.

    A result whose op takes in an operand of the same type follows from that one, and has none.
    """
    yield from input_faults(function)
    for op in function.body.block.ops:
        taken = {lacking(operand) for operand in op.operands}
        for index, result in enumerate(op.results):
            element = lacking(result)
            if element is not None and element not in taken:
                named = f"result {index}" if result.name_hint is None else f"%{result.name_hint}"
                remedy = f"cast to {_INSTEAD[element]} instead, or {_retyped(element)}"
                yield fault_at(op, f"{named} {_problem(element)}", remedy)


def input_faults(function: FuncOp) -> Iterator[Fault]:
    """Return a fault for each input of such a type."""
    for name, argument in inputs_of(function).items():
        element = lacking(argument)
        if element is not None:
            remedy = f"export the model with {_INSTEAD[element]} instead, or {_retyped(element)}"
            yield Fault(f"input '{name}'", _problem(element), remedy)


def op_fault(op: Operation, element: Attribute) -> Fault:
    """Return the fault of an op that takes in or gives such a type."""
    return fault_at(op, f"works on {element}, {_NONE}", _retyped(element))


def _retyped(element: Attribute) -> str:
    return f"run qti-retype{{old={element} new={_INSTEAD[element]}}} first"


def _problem(element: Attribute) -> str:
    return f"has element type {element}, {_NONE}"


class Converting(Declared, Protocol):
    """The packages in use, as far as a conversion of modules asks."""

    @property
    def conversions(self) -> Mapping[str, Conversion]:
        """The conversion of each graph op, by IR name."""

    @property
    def kernels(self) -> KernelRegistry:
        """The kernels of all ops."""


def convert_module(module: ModuleOp, packages: Converting) -> None:
    """Replace the graph ops of a module; HtpError with every op that has no native form.

    The signatures stay; a Reshape to rank 4 stands behind every argument and one back in front of
    every result. After an error the module is as it was.
    """
    built = [(function, *_build(function, packages)) for function in functions_of(module)]
    if faults := [fault for _, _, function_faults in built for fault in function_faults]:
        for _, builder, _ in built:
            builder.discard()
        raise HtpError(*grouped(faults))
    for function, builder, _ in built:
        block = function.body.block
        for op in reversed(list(block.ops)):
            op.detach()
            op.drop_all_references()
        block.add_ops(builder.ops)
        for state in builder.states:
            module.body.block.insert_op_before(state, function)


def conversion_faults(module: ModuleOp, packages: Converting) -> list[Fault]:
    """Return every op of a graph that has no native form, and why; the module stays unchanged."""
    faults: list[Fault] = []
    for function in functions_of(module):
        builder, function_faults = _build(function, packages)
        faults += function_faults
        builder.discard()
    return faults


def functions_of(module: ModuleOp) -> list[FuncOp]:
    """Return the functions that have a body; a declaration has nothing to convert."""
    return [op for op in module.body.block.ops if isinstance(op, FuncOp) and op.body.blocks]


def _build(function: FuncOp, packages: Converting) -> tuple[Builder, list[Fault]]:
    name = function.sym_name.data
    builder = Builder("" if name == MAIN else f"{name}_", packages)
    faults: list[Fault] = []
    if len(function.body.blocks) != 1:
        problem = f"has {len(function.body.blocks)} blocks, a model has one"
        return builder, [Fault(f"@{name}", problem, "give the function without branches")]
    faults += type_faults(function)
    for number, argument in enumerate(function.body.block.args):
        if lacking(argument) is not None:
            builder.recover([argument])
            continue
        try:
            spec = native_spec(spec_of(argument))
        except (ConversionFault, VerifyException) as fault:
            quantised = isinstance(fault, ConversionFault)
            remedy = "quantise it per tensor" if quantised else "give it a type that is taken"
            return builder, [*faults, Fault(f"@{name}", f"argument {number}: {fault}", remedy)]
        reader = next((use.operation for use in argument.uses), function)
        view = builder.add(native(ReshapeOp, [argument], spec))
        view.location = location_of(reader)
        builder.set(argument, view.results[0])
    for op in function.body.block.ops:
        builder.start(op)
        if lacking_at(op) is not None:
            builder.recover(op.results)
            continue
        try:
            _convert(op, builder, packages)
        except ConversionFault as fault:
            faults.append(fault.fault(op))
            builder.recover(op.results)
    return builder, faults


def _convert(op: Operation, builder: Builder, packages: Converting) -> None:
    if isinstance(op, ReturnOp):
        views = [
            builder.add(native(ReshapeOp, [builder.get(value)], spec_of(value)))
            for value in op.operands
        ]
        for value, view in zip(op.operands, views, strict=True):
            view.location = location_of_copy(value, op)
        builder.add(ReturnOp(*views))
    elif isinstance(op, ConstOp):
        builder.set(op.out, builder.const(op.array, native_spec(spec_of(op.out))))
    elif isinstance(op, GraphOp):
        _convert_graph_op(op, builder, packages.conversions)
    elif op.dialect_name() in guests() and packages.kernels.kernels(op.name):
        _keep(op, builder)
    else:
        remedy = "the graph level holds qti_aisw ops only"
        raise ConversionFault("is no graph op", way_down(op.dialect_name(), remedy))


def _keep(op: Operation, builder: Builder) -> None:
    """Keep an op of a plugin's dialect, which has a kernel, on tensors of its own shapes."""
    values = {v: builder.reshape(builder.get(v), spec_of(v)) for v in op.operands}
    kept = builder.add(op.clone(values))
    for result, value in zip(op.results, kept.results, strict=True):
        builder.set(result, value)


def _convert_graph_op(op: GraphOp, builder: Builder, table: Mapping[str, Conversion]) -> None:
    if not isinstance(op, GraphReshapeOp):
        _check_ranks(op)
    conversion = next((table[key] for key in keys(op) if key in table), None)
    if conversion is None:
        name = keys(op)[0].removeprefix(f"{GRAPH}.")
        raise ConversionFault("no package in use converts it", conversion_sketch(name))
    try:
        conversion.function(op, builder)
    except (ConversionFault, HtpError):
        raise
    except Exception as error:
        why = f"its conversion {conversion.label} fails: {raised(error)}"
        raise ConversionFault(why, "fix the package that brings it") from error
    for index, result in enumerate(op.results):
        if not builder.is_set(result):
            why = f"its conversion {conversion.label} does not say what result {index} becomes"
            raise ConversionFault(why, "call builder.set(op.results[...], value)")


def _check_ranks(op: GraphOp) -> None:
    """Raise ConversionFault where a tensor is of a rank above 4; a Reshape's may be."""
    groups = (("operand", op.operands), ("result", op.results))
    for kind, values in groups:
        for index, value in enumerate(values):
            try:
                rank4(spec_of(value))
            except ConversionFault as fault:
                raise ConversionFault(f"{kind} {index}: {fault}", way_to_rank_4(op)) from fault
