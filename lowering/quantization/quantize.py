"""Quantises a graph: its tensors get the element types that encodings give them.

For each op are chosen the encodings that it reads and gives, or that it stays in floats.

A graph states encodings itself by its Quantize and Dequantize ops. A tensor that is only quantised
has the encoding of that Quantize, and the data of an op that only moves elements has that of its
result. Example: of Conv2d -> Reshape -> Quantize both results before the Quantize have its
encoding. The result of a Dequantize needs none: it is a form of what the op reads.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ...dialects.faults.arguments import MODULE, arguments
from ...dialects.locations import clone_of_model, pass_names
from ...dialects.qti_aisw.base import GraphOp, Operand, build
from ...dialects.qti_aisw.ops.const import ConstOp
from ...dialects.qti_aisw.ops.quantize import DequantizeOp, QuantizeOp
from ...dialects.qti_aisw.ops.rnn import LstmOp, Recurrent
from ...dialects.spec_of import dtype_of, spec_of, type_of
from ...dialects.value import DType, Quant
from ...runtime.kernel.library import graph_operands
from ...runtime.passes.run import instruments
from ...runtime.program.boundary import main_function
from .encodings import ENCODINGS, Encoding, Encodings, reach
from .fitting import fitted, renamed, round_to_blocks, tensor_names
from .groups import F16, Forms, clipped, element_of, is_idle, is_on, is_real, joined
from .params import BIASES, FLOAT_OPS, WEIGHTS_OF, bias_encoding, mnemonic, own_encodings


@dataclass(frozen=True)
class OpEncodings:
    """The encodings of an op's f32 operands, by slot, and of its f32 results, in order."""

    operands: Mapping[str, Encoding]
    results: Sequence[Encoding]


class Unfit(Exception):
    """The reason that an op cannot be quantised: most often a tensor has no grid."""


@dataclass(frozen=True)
class Chooser:
    """The encodings of a graph, the names of its tensors, and their forms so far."""

    names: Mapping[SSAValue, str]
    encodings: Encodings
    forms: Forms
    rounds: bool = True
    """True where constants without an encoding are rounded to their own range."""

    def choose(self, op: GraphOp) -> OpEncodings:
        """Return the encodings that an op wants; Unfit where one is missing."""
        results = list(filter(is_real, op.results))
        if mnemonic(op) in FLOAT_OPS:
            raise Unfit(f"{mnemonic(op)} has no form on integers")
        operands = dict(_real_operands(op))
        if op.keeps_encoding:
            shared = self._shared(op, results)
            return OpEncodings(dict.fromkeys(operands, shared), [shared] * len(results))
        return OpEncodings(
            {slot: self._operand(op, slot, value) for slot, value in operands.items()},
            [self._scaled(op) or self._result(op, result) for result in results],
        )

    def _shared(self, op: GraphOp, results: Sequence[SSAValue]) -> Encoding:
        """Return the one encoding of all that an op moves or compares."""
        # A result's own encoding has the say, be it a float.
        own = next((v for v in results if self.names[v] in self.encodings.activations), None)
        data = [v for v in op.operands if is_real(v) and not isinstance(v.owner, ConstOp)]
        values = [*results, *op.operands] if own is None else [own]
        shared = dict.fromkeys(filter(None, map(self._grid, values)))
        # Where the result has none, data in floats would be rounded to the grid of its neighbour.
        known = any(map(self._grid, results)) or all(map(self._grid, data))
        if shared and not known:
            raise Unfit("a tensor that it moves has no encoding")
        if len(shared) != 1:
            raise Unfit(f"the tensors that it moves have {len(shared) or 'no'} encodings")
        (encoding,) = shared
        constants = [
            v.owner.array for v in op.operands if isinstance(v.owner, ConstOp) and is_real(v)
        ]
        if not (self.rounds or all(is_on(array, encoding) for array in constants)):
            raise Unfit("a constant that it moves has no encoding")
        return encoding

    def _grid(self, value: SSAValue) -> Encoding | None:
        """Return the grid of a tensor: that of its encoding, else the one it was computed on."""
        if not is_real(value):
            return None
        encoding = self.encodings.activations.get(self.names[value])
        if encoding is None and (after := clipped(value)) is not None:
            return self._grid(after)
        if encoding is None:
            encoding = Encoding(*dtype_of(self.forms.native(value)))
        return None if encoding.quant is None else encoding

    def _needed(self, value: SSAValue, what: str) -> Encoding:
        grid = self._grid(value)
        if grid is None:
            raise Unfit(f"{what} has no encoding")
        return grid

    def _result(self, op: GraphOp, result: SSAValue) -> Encoding:
        """Return the grid of a result, of one that nothing reads that of its state in the layer."""
        if result.uses or not isinstance(op, Recurrent):
            return self._needed(result, "its result")
        is_cell = result in op.results[2:]
        first = op.named_operands().get("initial_c" if is_cell else "initial_h")
        read: list[SSAValue] = [each for each in op.results if each.uses]
        known = [each for each in read if (each in op.results[2:]) == is_cell]
        # A state that goes nowhere is on no grid in between.
        known += [*filter(None, [first]), *(read if isinstance(op, LstmOp) else []), result]
        return self._needed(next(filter(self._grid, known), result), "its result")

    def _scaled(self, op: GraphOp) -> Encoding | None:
        """Return the exact grid of a tensor times, or by, a number; None where one is stated.

        There is none where all that reads it reads or gives floats, too.
        """
        power = {"ElementWiseMultiply": 1, "ElementWiseDivide": -1}.get(mnemonic(op))
        if power is None or self.rounds or self._grid(op.results[0]) is not None:
            return None
        readers = (use.operation for use in op.results[0].uses if use.operation.results)
        if not any(self._is_on_grids(reader, op.results[0]) for reader in readers):
            return None
        for value, by in (op.operands, op.operands[::-1])[: 1 + (power == 1)]:
            array = by.owner.array if isinstance(by.owner, ConstOp) else np.zeros(0)
            data, number = self._grid(value), float(array.flat[0]) if array.size == 1 else 0.0
            if number > 0 and data is not None and data.quant and data.quant.axis is None:
                scale = float(np.float32(data.quant.scale * number**power))
                return replace(data, quant=replace(data.quant, scales=(scale,)))
        return None

    def _is_on_grids(self, reader: Operation, value: SSAValue) -> bool:
        """Tell whether all that an op reads and gives beside a value is constant or on a grid."""
        beside = [v for v in (*reader.operands, *reader.results) if v is not value and is_real(v)]
        return all(isinstance(v.owner, ConstOp) or self._grid(v) for v in beside)

    def _operand(self, op: GraphOp, slot: str, value: SSAValue) -> Encoding:
        if not is_real(value):
            return Encoding(*dtype_of(element_of(value)))
        if not isinstance(value.owner, ConstOp):
            return self._needed(value, f"operand '{slot}'")
        array, kind = value.owner.array, mnemonic(op)
        encoding = self.encodings.params.get(self.names[value])
        if encoding is not None:
            return encoding
        if not np.isfinite(array).all():
            raise Unfit(f"operand '{slot}' is not finite")
        is_bias = (kind, slot) in BIASES
        # Of an op of constants alone the result says the dtype.
        values = op.operands if is_bias else (*op.operands, *op.results)
        data = next(filter(None, map(self._grid, values)), None)
        if data is None:
            raise Unfit("no operand has an encoding")
        if not is_bias:
            for own in own_encodings(op, slot, array, data):
                if self.rounds or is_on(array, own):
                    return own
            raise Unfit(f"operand '{slot}' is a constant without an encoding")
        weights = WEIGHTS_OF[kind]
        steps = self._operand(op, weights, getattr(op, weights))
        return bias_encoding(array, _quant(data), _quant(steps))


def _real_operands(op: GraphOp) -> Iterator[tuple[str, SSAValue]]:
    for slot, value in graph_operands(op):
        if value is not None and is_real(value):
            yield slot, value


def _quant(encoding: Encoding) -> Quant:
    if encoding.quant is None:
        raise Unfit("its weights are no integers")
    return encoding.quant


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
    quantised = clone_of_model(module)
    quantize_in_place(quantised, renamed(encodings, module), only)
    return quantised


def quantize_in_place(
    module: ModuleOp, encodings: Encodings, only: Container[str] | None = None, rounds: bool = True
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
    """Erase what nothing needs any more, and put each constant in front of its first reader.

    Between two Reshapes or Transposes that are one now, integers came out of floats and back.
    """
    for op in list(block.ops):
        if is_idle(op) or joined(op):
            pass_names(op.results[0], op.operands[0], first=True)
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
        pass_names(old, result)
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

    Constants and inputs of the graph that an op reads which refused its encodings are rounded to
    them all the same.
    """
    if isinstance(op, GraphOp) and _wants_f16(op, chooser):
        with suppress(VerifyException):
            slots = (slot for slot, value in graph_operands(op) if value is not None)
            return _built(op, dict.fromkeys(slots, F16), chooser.forms)
    operands, encodings = {}, chooser.encodings
    for value in op.operands:
        is_input = isinstance(value, BlockArgument)
        stated = encodings.activations if is_input else encodings.params
        encoding = stated.get(chooser.names[value]) if refused else None
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


def take_encodings(module: ModuleOp) -> dict[Operation, str]:
    """Quantise a graph in place by the encodings that it states; tell why ops stay in floats.

    A graph without any stays unchanged.
    """
    if not any(isinstance(op, QuantizeOp | DequantizeOp) for op in module.walk()):
        return {}
    names = tensor_names(module)
    stated = {names[value]: encoding for value, encoding in _stated(module).items()}
    return quantize_in_place(module, Encodings(stated), rounds=False)


def _stated(module: ModuleOp) -> Mapping[SSAValue, Encoding]:
    """Map each f32 tensor that all readers quantise to its encoding."""
    stated: dict[SSAValue, Encoding] = {}
    for op in reversed(list(main_function(module).body.block.ops)):
        if isinstance(op, ConstOp):
            continue
        for value in filter(is_real, op.results):
            wanted = [*_wanted(value, stated)]
            encodings = [encoding for encoding in wanted if encoding is not None]
            if encodings and len(encodings) == len(wanted):
                # The finest of those that reach about as far as the one that reaches most.
                most = max(map(reach, encodings))
                far = [encoding for encoding in encodings if reach(encoding) > 0.9 * most]
                stated[value] = min(far, key=lambda each: each.quant.scale if each.quant else 0.0)
    return stated


def _wanted(value: SSAValue, stated: Mapping[SSAValue, Encoding]) -> Iterator[Encoding | None]:
    """Yield the encoding that each reader of a tensor wants; None where one wants none."""
    for use in value.uses:
        op = use.operation
        if isinstance(op, QuantizeOp):
            encoding = Encoding(*dtype_of(op.to))
            whole = encoding.quant is not None and encoding.quant.axis is None
            yield encoding if whole else None
        elif isinstance(op, GraphOp) and op.keeps_encoding:
            yield next(filter(None, map(stated.get, op.results)), None)
        else:
            yield None
