"""Fits encodings to a graph: by the names, the shapes and the dtypes of its tensors.

No tensor of the IR has an encoding by blocks. A constant that has one is rounded once. Where its
scales are whole multiples of one by channel, it is then exactly on a grid by channel of 8 or 16
bits, and gets that encoding; else it stays in floats. Example: 4 bits times 3 steps of 0.5 is 8
bits in steps of 0.5.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue

from ...dialects.diagnostics import Fault, HtpError, did_you_mean
from ...dialects.faults.arguments import MODULE, arguments
from ...dialects.locations import names_in_model, names_of, node_of
from ...dialects.qti_aisw import ConstOp, GraphOp
from ...dialects.qti_aisw.base import param_value
from ...dialects.qti_aisw.ops.convolution import TransposeConv2dOp
from ...dialects.qti_aisw.ops.linear import MatMulOp
from ...dialects.qti_aisw.ops.movement import ReshapeOp, TransposeOp
from ...dialects.spec_of import Array, dense_of, spec_of
from ...dialects.value import DType, Quant
from ...runtime.kernel.library import graph_operands
from ...runtime.program.boundary import inputs_of, main_function, outputs_of
from .encodings import ENCODINGS, Encoding, Encodings
from .groups import is_real
from .params import WEIGHTS, constant_operands, mnemonic

_ALONG = {(4, 3): 2, (2, 0): 1, (2, 1): 0}
"""The dim of blocks in weights, by rank and the dim of channels: filters, rows, and columns."""


def round_to_blocks(encodings: Encodings, names: Mapping[SSAValue, str]) -> Encodings:
    """Round the constants of a graph that have scales of blocks; return encodings without any."""
    params = dict(encodings.params)
    for value, name in names.items():
        encoding, op = params.get(name), value.owner
        if encoding is not None and encoding.blocks is not None and isinstance(op, ConstOp):
            array, params[name] = _rounded(op.array, encoding)
            op.properties["value"] = dense_of(array, spec_of(value))
    return replace(encodings, params=params)


def blocks_fault(name: str, encoding: Encoding, value: SSAValue) -> Fault | None:
    """Return what keeps scales of blocks from going with a tensor."""
    where = f"encoding '{name}'"
    if not isinstance(value.owner, ConstOp):
        return Fault(where, "has scales of blocks, its tensor is no constant", "give one scale")
    try:
        _scales(value.owner.array, encoding)
    except ValueError:
        shape = list(spec_of(value).shape)
        problem = f"its {len(encoding.quant.scales if encoding.quant else ())} blocks"
        return Fault(where, f"{problem} do not divide the weights {shape}", "give one a block")
    return None


def with_shapes(encodings: Encodings, module: ModuleOp) -> Encodings:
    """Return encodings whose blocks, listed channel by channel, lie as in a model's weights."""
    tensors, axes = {name: value for value, name in tensor_names(module).items()}, _channels(module)

    def laid(name: str, encoding: Encoding) -> Encoding:
        value, quant = tensors.get(tensor_called(name, tensors) or ""), encoding.quant
        if value is None or quant is None or encoding.blocks is None:
            return encoding
        spec, axis = spec_of(value), axes.get(value, -1)
        count, rest = divmod(len(quant.scales), max(spec.shape[axis], 1)) if spec.rank else (0, 1)
        is_listed = encoding.blocks.shape in ((), (spec.shape[axis], count)) and not rest
        if not is_listed or (spec.rank, axis) not in _ALONG:
            return encoding
        is_turned = any(isinstance(use.operation, TransposeConv2dOp) for use in value.uses)
        return encoding.laid(count, spec.rank, is_turned or axis == 1)

    return replace(encodings, params={name: laid(name, e) for name, e in encodings.params.items()})


def _scales(array: Array, encoding: Encoding) -> tuple[Array, Array, int, int]:
    """Return scales and zero points as large as the array, and its dims of channels and blocks.

    ValueError where the blocks do not divide it.
    """
    quant, blocks = encoding.quant, encoding.blocks
    if quant is None or blocks is None or array.ndim < 2:
        raise ValueError
    rank = len(blocks.shape)
    others = [dim for dim in range(rank) if dim != blocks.axis and blocks.shape[dim] > 1]
    channels, along = (others or [1 - blocks.axis])[0], blocks.axis
    if quant.axis is not None:
        if (array.ndim, quant.axis) not in _ALONG:
            raise ValueError
        channels, along = quant.axis, _ALONG[array.ndim, quant.axis]
    count = -(-array.shape[along] // max(blocks.size, 1))
    spread = []
    for numbers in (quant.scales, quant.zero_points):
        laid = np.asarray(numbers, np.float64)
        if blocks.shape:
            laid = np.moveaxis(laid.reshape(blocks.shape), blocks.axis, -1)
        laid = laid.reshape(array.shape[channels], count)
        wide = np.repeat(laid, blocks.size, 1)[:, : array.shape[along]]
        wide = wide if channels < along else wide.T
        dims = [n if dim in (channels, along) else 1 for dim, n in enumerate(array.shape)]
        spread.append(wide.reshape(dims))
    return spread[0], spread[1], channels, along


def _rounded(array: Array, encoding: Encoding) -> tuple[Array, Encoding]:
    """Return the reals of a constant on its grid, and the encoding that they fit exactly."""
    scales, zeros, channels, _ = _scales(array, encoding)
    quant, blocks = encoding.quant, encoding.blocks
    if quant is None or blocks is None:
        raise ValueError("there are no blocks")
    bounds = np.iinfo(encoding.dtype.storage.str)
    low = bounds.min if quant.low is None else quant.low
    high = bounds.max if quant.high is None else quant.high
    stored = np.clip(np.rint(array / scales) + zeros, low, high) - zeros
    reals = (stored * scales).astype(np.float32)
    most = max(blocks.factors, default=0) * int(np.abs(stored).max(initial=0))
    for dtype in (DType.QInt8, DType.QInt16):
        if blocks.factors and most <= np.iinfo(dtype.storage.str).max:
            steps = tuple(float(np.float32(step)) for step in blocks.steps)
            return reals, Encoding(dtype, Quant(steps, (0,) * len(steps), channels))
    return reals, Encoding(DType.Float32)


def tensor_names(module: ModuleOp) -> dict[SSAValue, str]:
    """Name every tensor of a graph, in the order of its ops.

    An input, an output or a tensor of the model has the model's name, any other tensor the name of
    its value, or else of its node. A constant without a name is named by its reader and operand:
    `conv1.filter`. A name that is taken gets a number.
    """
    main, known = main_function(module), names_of(module)
    names: dict[SSAValue, str] = {}
    for name, value in (*inputs_of(main).items(), *outputs_of(main).items()):
        names.setdefault(value, name)
    # A name of the model's is never the one that gets a number.
    ends = {*names.values()}
    taken = dict.fromkeys([*ends, *known], 0)
    for wanted, value in _inner(main.body.block):
        own = next(iter(names_in_model(value)), "")
        if value not in names and own and own not in ends:
            names[value] = own
        if value not in names:
            names[value] = _free(wanted, taken)
            taken[names[value]] = 0
    return names


def _free(wanted: str, taken: dict[str, int]) -> str:
    """Return a name that is not taken, by a number where need be."""
    name = wanted
    while name in taken:
        taken[wanted] += 1
        name = f"{wanted}_{taken[wanted]}"
    return name


def tensor_called(name: str, known: Container[str]) -> str | None:
    """Find a tensor by its name in the model, which may have signs that no name of a value has."""
    plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
    return next((each for each in (name, plain) if each in known), None)


_FORMS = {f"qti_aisw.{op}" for op in ("Transpose", "Reshape", "Quantize", "Dequantize", "Cast")}


def _inner(block: Block) -> Iterator[tuple[str, SSAValue]]:
    """Yield the results of all ops, a constant's with its first reader.

    Ops that only change the form of a tensor come last, so that another op gets the node's name.
    """
    for op in sorted(block.ops, key=lambda op: op.name in _FORMS):
        if isinstance(op, ConstOp):
            continue
        if isinstance(op, GraphOp):
            for slot, value in graph_operands(op):
                if value is not None and isinstance(value.owner, ConstOp):
                    yield value.name_hint or f"{_label(op.results[0])}.{slot}", value
        for result in op.results:
            yield _label(result), result


def _label(result: SSAValue) -> str:
    op = result.owner
    if isinstance(op, Block):
        return result.name_hint or "arg"
    return result.name_hint or node_of(op) or op.name.rpartition(".")[2]


def fitted(encodings: Encodings, module: ModuleOp, names: Mapping[SSAValue, str]) -> Encodings:
    """Return the encodings under the graph's own names, per-axis ones along the op's channels.

    HtpError lists all that name no tensor, one that is not f32, or differ in the channels.
    """
    fitting, faults = fit(encodings, module, names)
    if faults:
        raise HtpError(*faults)
    return fitting


def renamed(encodings: Encodings, module: ModuleOp) -> Encodings:
    """Return encodings by the graph's own names: those of the model are, where a tensor has one.

    A tensor that the graph has in two shapes has its encoding in both.
    """
    names, of_model = tensor_names(module), names_of(module)
    parts, named = (encodings.activations, encodings.params), {*of_model.values()}
    own = {*names.values()}
    others = own.difference(*parts)

    def called(name: str) -> list[str]:
        value = of_model.get(name)
        forms = [names.get(form, "") for form in _forms(value, named)] if value else []
        if name in own:
            return [name, *(form for form in forms if form in others)]
        return [form for form in forms if form in own] or [name]

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
