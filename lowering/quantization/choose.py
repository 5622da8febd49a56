"""Chooses the encodings that one op reads and gives, or that it stays in floats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.qti_aisw.base import GraphOp
from ...dialects.qti_aisw.ops.const import ConstOp
from ...dialects.spec_of import dtype_of
from ...dialects.value.dtypes import Quant
from ...runtime.kernel.evaluators import graph_operands
from .encodings import Encoding, Encodings
from .forms import Forms, element_of, is_on
from .groups import clipped, is_real
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
            [self._scaled(op) or self._needed(result, "its result") for result in results],
        )

    def _shared(self, op: GraphOp, results: Sequence[SSAValue]) -> Encoding:
        """Return the one encoding of all that an op moves or compares."""
        # A result's own encoding has the say, be it a float.
        own = next((v for v in results if self.names[v] in self.encodings.activations), None)
        values = [*results, *op.operands] if own is None else [own]
        shared = dict.fromkeys(filter(None, map(self._grid, values)))
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

    def _scaled(self, op: GraphOp) -> Encoding | None:
        """Return the exact grid of a tensor times, or by, a number; None where one is stated."""
        power = {"ElementWiseMultiply": 1, "ElementWiseDivide": -1}.get(mnemonic(op))
        if power is None or self.rounds or self._grid(op.results[0]) is not None:
            return None
        for value, by in (op.operands, op.operands[::-1])[: 1 + (power == 1)]:
            array = by.owner.array if isinstance(by.owner, ConstOp) else np.zeros(0)
            data, number = self._grid(value), float(array.flat[0]) if array.size == 1 else 0.0
            if number > 0 and data is not None and data.quant and data.quant.axis is None:
                scale = float(np.float32(data.quant.scale * number**power))
                return replace(data, quant=replace(data.quant, scales=(scale,)))
        return None

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
        data = next((grid for grid in map(self._grid, op.operands) if grid is not None), None)
        if data is None:
            raise Unfit("no operand has an encoding")
        if (kind, slot) not in BIASES:
            for own in own_encodings(kind, slot, array, data.dtype):
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
