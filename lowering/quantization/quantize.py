"""Quantises a graph: its tensors get the element types that encodings give them."""

from __future__ import annotations

from collections.abc import Container, Mapping
from contextlib import suppress
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ...dialects.faults.arguments import MODULE, arguments
from ...dialects.qti_aisw.base import GraphOp, Operand, build
from ...dialects.qti_aisw.ops.const import ConstOp
from ...dialects.qti_aisw.ops.quantize import DequantizeOp, QuantizeOp
from ...dialects.spec_of import spec_of, type_of
from ...dialects.value.dtypes import DType
from ...runtime.kernel.evaluators import graph_operands
from ...runtime.passes.instrument import instruments
from ...runtime.program.boundary import main_function
from .blocks import round_to_blocks
from .choose import Chooser, Unfit
from .encodings import ENCODINGS, Encodings
from .fitting import fitted, renamed
from .forms import F16, Forms, element_of
from .groups import is_idle, is_real
from .names import tensor_names


@arguments(module=MODULE, encodings=ENCODINGS)
def quantize(
    module: ModuleOp, encodings: Encodings, *, only: Container[str] | None = None
) -> ModuleOp:
    """Return a new graph whose tensors have these encodings; the given one stays unchanged.

    An op is quantised where all its f32 results have a grid, its f32 operands too, and it takes
    quantised tensors. Behind an encoding that is f16 it is computed in f16, and so is an op that
    reads such a tensor and cannot be quantised; any other stays in f32. Quantize, Dequantize and
    Cast stand where types meet, so inputs and outputs stay unchanged. Constants without an
    encoding are encoded by their own range. `only` names the first results of the ops that may be
    quantised. HtpError lists the encodings that do not fit the graph.
    """
    quantised = module.clone()
    quantize_in_place(quantised, renamed(encodings, module), only)
    return quantised


def quantize_in_place(
    module: ModuleOp,
    encodings: Encodings,
    only: Container[str] | None = None,
    rounds: bool = True,
) -> dict[Operation, str]:
    """Quantise a graph itself, as `quantize` does; return why each other op stays in floats.

    Unless it `rounds`, an op stays in floats where a constant without an encoding is off the grid.
    """
    block, names = main_function(module).body.block, tensor_names(module)
    rounded = round_to_blocks(fitted(encodings, module, names), names)
    chooser = Chooser(names, rounded, Forms(), rounds)
    replaced: set[Operation] = set()
    reasons: dict[Operation, str] = {}
    for op in list(block.ops):
        if isinstance(op, ReturnOp):
            for index, value in enumerate(op.operands):
                op.operands[index] = chooser.forms.get(value, element_of(value), op)
        elif isinstance(op, QuantizeOp | DequantizeOp):
            chooser.forms.restate(op)
            replaced.add(op)
        elif not isinstance(op, ConstOp):
            allowed = only is None or any(names[result] in only for result in op.results)
            new, reason = _replace(op, chooser, allowed)
            replaced.add(op)
            if reason:
                reasons[new] = reason
                for each in instruments():
                    each.stays(new, reason)
    _tidy(block, replaced)
    module.verify()
    return reasons


def _tidy(block: Block, replaced: Container[Operation]) -> None:
    """Erase what nothing needs any more, and put each constant in front of its first reader."""
    for op in list(block.ops):
        if is_idle(op):
            Rewriter.replace_op(op, [], op.operands)
    for op in reversed(list(block.ops)):
        unused = not any(result.uses for result in op.results)
        if unused and (op in replaced or op.has_trait(Pure)):
            block.erase_op(op)
    for op in list(block.ops):
        if isinstance(op, ConstOp):
            first, *others = (use.operation for use in op.results[0].uses)
            for other in others:
                first = other if other.is_before_in_block(first) else first
            block.detach_op(op)
            block.insert_op_before(op, first)


def _replace(op: Operation, chooser: Chooser, allowed: bool) -> tuple[Operation, str]:
    """Put the new form of an op in front, and note its results; return why the op is in floats."""
    new: Operation | None = None
    reason, refused = "", False
    if allowed and isinstance(op, GraphOp) and any(map(is_real, (*op.operands, *op.results))):
        try:
            new = _on_grids(op, chooser)
        except Unfit as problem:
            reason = str(problem)
        except VerifyException as problem:
            reason, refused = str(problem), not op.keeps_encoding
    new = new or _in_floats(op, chooser, refused)
    new.attributes.update(op.attributes)
    new.location = op.location
    if op.parent is not None:
        op.parent.insert_op_before(new, op)
    for old, result in zip(op.results, new.results, strict=True):
        result.name_hint = old.name_hint
        chooser.forms.set(old, result)
        encoding = chooser.encodings.activations.get(chooser.names[old]) if refused else None
        if encoding is not None:
            chooser.forms.set(old, chooser.forms.get(old, encoding.element, op))
    return new, reason


def _on_grids(op: GraphOp, chooser: Chooser) -> GraphOp:
    """Build the op on quantised tensors; Unfit or VerifyException where it takes none."""
    choice = chooser.choose(op)
    elements = {slot: encoding.element for slot, encoding in choice.operands.items()}
    new = _built(op, elements, chooser.forms)
    encodings = iter(choice.results)
    for old, result in zip(op.results, list(new.results), strict=True):
        if is_real(old):
            encoding = next(encodings)
            spec = replace(spec_of(old), dtype=encoding.dtype, quant=encoding.quant)
            Rewriter.replace_value_with_new_type(result, type_of(spec))
    new.verify()
    return new


def _in_floats(op: Operation, chooser: Chooser, refused: bool) -> Operation:
    """Build the op in f16 where it is to be, else in the types that it had.

    Constants of an op that refused its encodings are rounded to them all the same.
    """
    if isinstance(op, GraphOp) and _wants_f16(op, chooser):
        with suppress(VerifyException):
            slots = (slot for slot, value in graph_operands(op) if value is not None)
            return _built(op, dict.fromkeys(slots, F16), chooser.forms)
    operands, params = {}, chooser.encodings.params if refused else {}
    for value in op.operands:
        encoding = params.get(chooser.names[value])
        operands[value] = (
            chooser.forms.get(value, element_of(value), op)
            if encoding is None or encoding.quant is None
            else chooser.forms.rounded(value, encoding.element, op)
        )
    return op.clone(operands)


def _wants_f16(op: GraphOp, chooser: Chooser) -> bool:
    """Tell whether an op's encodings are f16, or have no say and an operand comes in f16."""
    encodings = chooser.encodings.activations
    names = (chooser.names[result] for result in op.results)
    wanted = {encodings[name].dtype for name in names if name in encodings}
    behind = any(chooser.forms.native(value) == F16 for value in filter(is_real, op.operands))
    return DType.Float16 in wanted or (behind and DType.Float32 not in wanted)


def _built(op: GraphOp, elements: Mapping[str, Attribute], forms: Forms) -> GraphOp:
    """Build the op anew, its f32 operands in these element types by slot."""

    def converted(slot: str, value: SSAValue) -> SSAValue:
        element = elements[slot] if is_real(value) else element_of(value)
        return forms.get(value, element, op)

    slots: list[Operand] = []
    for slot, _ in op.get_irdl_definition().operands:
        values = getattr(op, slot)
        if isinstance(values, SSAValue):
            slots.append(converted(slot, values))
        else:
            slots.append(None if values is None else [converted(slot, v) for v in values])
    return build(type(op), slots, dict(op.properties))
