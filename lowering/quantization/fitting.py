"""Fits encodings to a graph: by the names, the shapes and the dtypes of its tensors."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects.diagnostics import Fault, HtpError
from ...dialects.faults.arguments import MODULE, arguments
from ...dialects.locations import names_of
from ...dialects.qti_aisw import ConstOp, GraphOp
from ...dialects.qti_aisw.base import param_value
from ...dialects.qti_aisw.ops.linear import MatMulOp
from ...dialects.qti_aisw.ops.movement import ReshapeOp, TransposeOp
from ...dialects.spec_of import spec_of
from ...dialects.suggestions import did_you_mean
from ...dialects.value import DType
from ...runtime.program.boundary import main_function
from .blocks import blocks_fault
from .encodings import ENCODINGS, Encoding, Encodings
from .groups import is_real
from .names import tensor_called, tensor_names
from .params import WEIGHTS, constant_operands, mnemonic


def fitted(encodings: Encodings, module: ModuleOp, names: Mapping[SSAValue, str]) -> Encodings:
    """Return the encodings under the graph's own names, per-axis ones along the op's channels.

    HtpError lists all that name no tensor, one that is not f32, or differ in the channels.
    """
    fitting, faults = fit(encodings, module, names)
    if faults:
        raise HtpError(*faults)
    return fitting


def renamed(encodings: Encodings, module: ModuleOp) -> Encodings:
    """Return encodings by the graph's own names where most have names of the model it came from.

    What the graph has no more keeps its name, and fits nothing. A tensor that the graph has in two
    shapes has its encoding in both.
    """
    names, of_model = tensor_names(module), names_of(module)
    parts, named = (encodings.activations, encodings.params), {*of_model.values()}
    stated, own = [name for part in parts for name in part], {*names.values()}
    known = sum(name in of_model for name in stated)
    of_graph = sum(tensor_called(name, own) is not None for name in stated)
    if known < len(stated) and known <= of_graph:
        return encodings

    def called(name: str) -> list[str]:
        if name not in of_model:
            return [name]
        value, gone = of_model[name], f"{name} of the model"
        return [names.get(form, gone) for form in _forms(value, named)] if value else [gone]

    return Encodings(
        *({new: each[name] for name in each for new in called(name)} for each in parts)
    )


def _forms(value: SSAValue, named: Container[SSAValue | None]) -> list[SSAValue]:
    """List a tensor of the model, and what it is moved from that has no name there."""
    forms = [value]
    while isinstance(value.owner, TransposeOp | ReshapeOp) and value.owner.inp not in named:
        forms.append(value := value.owner.inp)
    return forms


def fit(
    encodings: Encodings, module: ModuleOp, names: Mapping[SSAValue, str]
) -> tuple[Encodings, list[Fault]]:
    """Return what `fitted` does, and the faults of all encodings that do not fit."""
    axes = _channels(module)
    tensors = {name: value for value, name in names.items()}
    faults: list[Fault] = []
    activations: dict[str, Encoding] = {}
    params: dict[str, Encoding] = {}
    for name, encoding in (*encodings.activations.items(), *encodings.params.items()):
        known = tensor_called(name, tensors)
        if known is None:
            remedy = did_you_mean(name, tensors, "leave it out")
            faults.append(Fault(f"encoding '{name}'", "the graph has no such tensor", remedy))
            continue
        value = tensors[known]
        along = _along(encoding, axes.get(value), spec_of(value).shape)
        faults += _faults(name, along, value)
        (params if isinstance(value.owner, ConstOp) else activations)[known] = along
    return Encodings(activations, params), faults


@arguments(encodings=ENCODINGS, module=MODULE)
def without_encodings(encodings: Encodings, module: ModuleOp) -> list[str]:
    """List the f32 tensors of a graph that have no encoding, in the order of its ops."""
    names = tensor_names(module)
    fitting = fitted(renamed(encodings, module), module, names)
    known = {**fitting.activations, **fitting.params}
    return [name for value, name in names.items() if is_real(value) and name not in known]


def _channels(module: ModuleOp) -> dict[SSAValue, int]:
    """Find the dim of the output channels of each constant: of weights, else the one above 1."""
    axes: dict[SSAValue, int] = {}
    for op in main_function(module).body.block.ops:
        if isinstance(op, GraphOp):
            for slot, value, array in constant_operands(op):
                wide = [dim for dim, extent in enumerate(array.shape) if extent > 1]
                axis = WEIGHTS.get((mnemonic(op), slot), wide[0] if len(wide) == 1 else None)
                if isinstance(op, MatMulOp) and slot == "in1" and array.ndim == 2:
                    axis = 0 if param_value(op.transpose_in1) else 1
                if axis is not None or array.ndim == 1:
                    axes.setdefault(value, axis or 0)
    return axes


def _along(encoding: Encoding, axis: int | None, shape: Sequence[int]) -> Encoding:
    """Lay the scales of a per-axis encoding, or of blocks, along the channels."""
    quant = encoding.quant
    if quant is None or (quant.axis is None and encoding.blocks is None):
        return encoding
    if axis is None and quant.axis is not None and quant.axis < 0:
        axis = quant.axis + len(shape)
    return encoding if axis is None else replace(encoding, quant=replace(quant, axis=axis))


def _faults(name: str, encoding: Encoding, value: SSAValue) -> Iterator[Fault]:
    spec, where = spec_of(value), f"encoding '{name}'"
    if not is_real(value):
        yield Fault(where, f"its tensor is {spec.dtype.name}", "only f32 tensors are quantised")
    quant = encoding.quant
    if encoding.blocks is not None:
        if fault := blocks_fault(name, encoding, value):
            yield fault
        return
    if quant is None or quant.axis is None:
        return
    if not isinstance(value.owner, ConstOp):
        yield Fault(where, "has a scale per channel, its tensor is no constant", "give one scale")
    elif quant.axis >= spec.rank or spec.shape[quant.axis] != len(quant.scales):
        channels = spec.shape[quant.axis] if quant.axis < spec.rank else 0
        problem = f"has {len(quant.scales)} scales, its tensor {channels} channels"
        yield Fault(where, problem, "give one scale, or one for each output channel")
    if encoding.dtype is DType.QInt32 and not isinstance(value.owner, ConstOp):
        yield Fault(where, "has 32 bits, its tensor is no constant", "give 8 or 16 bits")
