"""Ops of op packages in a graph: inputs first, then the params as the op's param order says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Block, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...dialects.diagnostics import HtpError, counted, did_you_mean, listed
from ...dialects.faults.op_faults import raised
from ...dialects.htp.base import NativeOp, native
from ...dialects.htp.fields import MANY
from ...dialects.qti_aisw.base import CustomParam, GraphOp
from ...dialects.qti_aisw.ops.custom import TORCH, CustomOp
from ...dialects.spec_of import Array, spec_of, type_of
from ...dialects.value import RANK, DType, TensorSpec
from ..rules.graph.param_order import Param, is_axis, shifted_axis
from .builder import (
    CUSTOM,
    Builder,
    ConversionFault,
    ConversionSet,
    Declared,
    conversion_sketch,
    rank4,
)

CONVERSIONS = ConversionSet()

Given = Mapping[str, CustomParam]


@dataclass(frozen=True)
class NativeForm:
    """A native op of a package and its params in order, axes counted at rank 4."""

    op: type[NativeOp]
    params: tuple[tuple[str, CustomParam], ...]


@CONVERSIONS.conversion(CUSTOM)
def convert_custom(op: GraphOp, builder: Builder) -> None:
    """Append the package's op; ConversionFault where it does not take what it is given."""
    if not isinstance(op, CustomOp):
        raise ConversionFault("is no op of an op package")
    specs = [spec_of(value) for value in op.ins]
    form = native_form(op.target, specs, op.given(), builder.declared)
    if len(op.results) != form.op.RESULTS:
        count = f"has {counted(len(op.results), 'result')}, {op.target} has {form.op.RESULTS}"
        raise ConversionFault(count, "state as many as the op gives")
    operands = [*builder.get_all(op.ins), *_constants(form, len(specs), builder)]
    native_op = builder.add(native(form.op, operands, *(rank4(spec_of(r)) for r in op.results)))
    try:
        native_op.verify_()
    except VerifyException as error:
        raise ConversionFault(str(error), "fix the op or the package") from error
    for result, value in zip(op.results, native_op.results, strict=True):
        builder.set(result, value)


def inferred_results(
    target: str, specs: Sequence[TensorSpec], param_values: Given, declared: Declared
) -> tuple[TensorSpec | None, ...]:
    """Return the results that a package's op has on these inputs, of rank 4; None for a free one.

    ConversionFault where the op does not take what it is given.
    """
    form = native_form(target, specs, param_values, declared)
    block = Block(arg_types=[type_of(rank4(spec)) for spec in specs])
    builder = Builder("", declared)
    probe = form.op.create(operands=[*block.args, *_constants(form, len(specs), builder)])
    try:
        probe.verify_operands()
        return tuple(probe.infer())
    except VerifyException as error:
        raise ConversionFault(str(error), "fix the node or the package") from error
    except Exception as error:
        raise ConversionFault(f"its class fails: {raised(error)}", "fix the package") from error
    finally:
        probe.erase()
        builder.discard()


def native_form(
    target: str, specs: Sequence[TensorSpec], param_values: Given, declared: Declared
) -> NativeForm:
    """Return the native op of a package's op in a graph; ConversionFault if there is none."""
    op = _class(target, declared)
    order = _order(op, param_values, declared)
    params = _in_order(op, param_values, order)
    _check_inputs(op, len(specs), order)
    rank = specs[0].rank if specs else RANK
    axes = declared.axis_params(target)
    shifted = ((n, _shifted(n, value, rank) if n in axes else value) for n, value in params)
    return NativeForm(op, tuple(shifted))


def _class(target: str, declared: Declared) -> type[NativeOp]:
    if target in declared.ops:
        return declared.ops[target]
    package = target.partition(".")[0]
    if package == TORCH:
        op = target.removeprefix(f"{TORCH}.")
        remedy = f'give it a conversion: @CONVERSIONS.conversion("{op}")'
        raise ConversionFault(f"{op} is PyTorch's own op, kept by fallback", remedy)
    names = [name for name in declared.ops if name.startswith(f"{package}.")]
    if not names:
        remedy = "load it: --package FILE, or packages=load_packages(FILE)"
        raise ConversionFault(f"no package {package} is loaded", remedy)
    op = target.partition(".")[2]
    declare = f'declare it: DEF_PACKAGE_OP(function, "{op}")'
    sketch = declare if declared.in_cpp(target) else conversion_sketch(target)
    remedy = did_you_mean(target, names, sketch)
    raise ConversionFault(f"package {package} has no op {target}", remedy)


def _check_inputs(op: type[NativeOp], inputs: int, order: Sequence[Param]) -> None:
    """Check the number of inputs: the operands that are not params, which are the last ones."""
    # Of an op that nobody declares, params are the last operands, whatever their names.
    params = () if op.TO_DECLARE else op.PARAMS
    names = [name for name in op.OPERANDS if name not in params]
    many = bool(names) and names[-1].endswith(MANY)
    most = len(names) - many - (0 if params else len(order))
    least = most - sum(name in op.OPTIONAL for name in names[:most])
    if inputs < least or (inputs > most and not many):
        wanted = f"{least}" if least == most else f"{least} to {most}"
        wanted = f"{least} or more" if many else f"{wanted} ({', '.join(names[:most])})"
        remedy = "give it those" + (op.TO_DECLARE and f", or declare it:\n{op.TO_DECLARE}")
        raise ConversionFault(f"has {inputs} inputs, {op.name} takes {wanted}", remedy)


def _order(op: type[NativeOp], param_values: Given, declared: Declared) -> Sequence[Param]:
    """Return the declared param order, else the params of the op's class, else the node's own."""
    order = declared.param_orders.get(op.name)
    if order is not None:
        return order.params
    names = (not op.TO_DECLARE and op.PARAMS) or param_values
    return [Param(name, mandatory=name not in op.OPTIONAL) for name in names]


def _in_order(
    op: type[NativeOp], param_values: Given, order: Sequence[Param]
) -> list[tuple[str, CustomParam]]:
    known = [param.name for param in order]
    for name in param_values:
        if name not in known:
            remedy = listed(name, known, f"those of {op.name}:")
            raise ConversionFault(f"unknown param '{name}'", remedy)
    ordered: list[tuple[str, CustomParam]] = []
    for param in order:
        if param.name in param_values:
            ordered.append((param.name, _fitting(param, param_values[param.name])))
        elif param.default is not None:
            ordered.append((param.name, param.default))
        elif param.mandatory:
            remedy = f"{op.name} has no default for it"
            raise ConversionFault(f"param '{param.name}' is mandatory and not given", remedy)
    return ordered


def _fitting(param: Param, value: CustomParam) -> CustomParam:
    """Cast a value to the kind of the param's default: an integer may become a float or bool."""
    default = param.default
    if default is None:
        return value
    kinds = [(_kind(one), one) for one in (default, value)]
    (wanted, _), (kind, _) = kinds
    if wanted == kind or (wanted, kind) == ("a list", "a list of floats"):
        return value
    if kind == "an integer" and isinstance(value, int):
        if wanted == "a float":
            return float(value)
        if wanted == "a bool" and value in (0, 1):
            return bool(value)
    if kind == "a bool" and wanted == "an integer":
        return value
    raise ConversionFault(f"param '{param.name}' is {kind}: {value!r}", f"it must be {wanted}")


def _kind(value: CustomParam) -> str:
    match value:
        case bool():
            return "a bool"
        case int():
            return "an integer"
        case float():
            return "a float"
        case str():
            return "text"
        case _ if any(isinstance(number, float) for number in value):
            return "a list of floats"
        case _:
            return "a list"


def _shifted(name: str, value: CustomParam, rank: int) -> CustomParam:
    axes = value if isinstance(value, tuple) else (value,)
    if not all(is_axis(axis) for axis in axes):
        raise ConversionFault(f"param '{name}' is {value!r}", "an axis param holds integers")
    try:
        moved = tuple(shifted_axis(int(axis), rank) for axis in axes)
    except HtpError as error:
        problem, remedy = error.faults[0].problem, error.faults[0].remedy
        raise ConversionFault(
            f"param '{name}', {error.faults[0].where}: {problem}", remedy
        ) from error
    return moved if isinstance(value, tuple) else moved[0]


def _constants(form: NativeForm, inputs: int, builder: Builder) -> list[SSAValue]:
    """Return the params as operands: shapes where the op wants shapes, else constants."""
    values = []
    names = form.op.names_of(inputs + len(form.params)) or form.op.OPERANDS
    for index, (name, value) in enumerate(form.params, start=inputs):
        operand = names[min(index, len(names) - 1)] if names else ""
        is_shape = operand in form.op.SHAPES
        values.append(
            builder.shape(_dims(name, value)) if is_shape else builder.const(*_held(name, value))
        )
    return values


def _dims(name: str, value: CustomParam) -> tuple[int, ...]:
    dims = value if isinstance(value, tuple) else ()
    if len(dims) != RANK or not all(is_axis(dim) and dim >= 0 for dim in dims):
        raise ConversionFault(
            f"param '{name}' is {value!r}, it must be a shape", f"give {RANK} numbers >= 0"
        )
    return tuple(int(dim) for dim in dims)


def _held(name: str, value: CustomParam) -> tuple[Array, TensorSpec]:
    """Return the constant that represents a param: f32, i32, or text as bytes that a 0 ends."""
    if isinstance(value, str):
        array = np.frombuffer(value.encode() + b"\0", np.uint8)
        return _row(array, DType.UInt8)
    numbers = value if isinstance(value, tuple) else (value,)
    if any(isinstance(number, float) for number in numbers):
        return _row(np.array(numbers, np.float32), DType.Float32)
    bounds = np.iinfo(np.int32)
    for number in numbers:
        if not bounds.min <= number <= bounds.max:
            raise ConversionFault(f"param '{name}' holds {number}", "it must fit 32 bits")
    return _row(np.array(numbers, np.int32), DType.Int32)


def _row(array: Array, dtype: DType) -> tuple[Array, TensorSpec]:
    shape = (1, 1, 1, array.size)
    return array.reshape(shape), TensorSpec(shape, dtype)
