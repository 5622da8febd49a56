"""Builds graph ops in a block, and the function `@main` around it.

A model's constants are there once each, and results are named after its values.
"""

import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from math import prod

import numpy as np
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    ArrayAttr,
    DictionaryAttr,
    LocationAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....dialects.dense import Array
from ....dialects.locations import NAME, named
from ....dialects.qti_aisw import GRAPH_OPS, ConstOp, const
from ....dialects.qti_aisw.base import Operand, build
from ....dialects.qti_aisw.ops.quantize import DequantizeOp
from ....dialects.qti_aisw.params import custom_attr, ints_attr
from ....dialects.spec_of import plain_element_type, spec_of
from ....dialects.value import DType, TensorSpec

_BY_NAME = {dtype.value[1]: dtype for dtype in DType if not dtype.is_quantized}
"""Dtype by the name of numpy's."""


class UnknownType(Exception):
    """A type that graph IR has no word for, named by the text."""


def spec_of_array(array: Array) -> TensorSpec:
    """Return the spec of a constant; UnknownType where its dtype is none of ours."""
    if array.dtype.name not in _BY_NAME:
        raise UnknownType(f"element type {array.dtype}")
    return TensorSpec(array.shape, _BY_NAME[array.dtype.name])


Param = Attribute | DType | bool | int | float | Sequence[int] | None


class Emitter:
    """The block under construction, the model's values by name, and its constants."""

    def __init__(self, block: Block, constants: dict[str, Array], used: frozenset[str]) -> None:
        self.block = block
        self.constants = constants
        self.used = used
        self.values: dict[str, SSAValue | None] = {}
        self.location: LocationAttr = UNKNOWN_LOC
        """The origin of the ops that follow: the node at hand."""
        self.names: dict[SSAValue, list[str]] = {}
        """The model's names of each constant, arranged in another way or not."""
        self._made: dict[tuple[TensorSpec, bytes], SSAValue] = {}

    def value(self, name: str) -> SSAValue | None:
        """Return the model's value of this name; None where its maker has a fault."""
        return self.values[name] if name in self.values else self.constant(name)

    def constant(self, name: str) -> SSAValue:
        """Return the model's constant of this name."""
        value = self.values.get(name)
        if value is None:
            value = self.values[name] = hinted(self.const(self.constants[name]), name)
            self.names.setdefault(value, []).append(name)
        return value

    def forget(self, name: str) -> None:
        """Drop a constant that nothing reads any more, and its op where that has no use."""
        self.constants.pop(name, None)
        value = self.values.get(name)
        if value is None or value.uses or not isinstance(value.owner, ConstOp):
            return
        if sum(other is value for other in self.values.values()) == 1:
            self._made = {key: other for key, other in self._made.items() if other is not value}
            del self.values[name]
            self.block.erase_op(op := value.owner)
            # The op is in cycles and waits for the collector, its data need not.
            op.properties.clear()

    def add(self, op: Operation) -> Sequence[SSAValue]:
        """Append an op of the node at hand."""
        op.location = self.location
        self.block.add_op(op)
        return op.results

    def const(self, array: Array) -> SSAValue:
        """Return a constant with this data; equal constants are one op."""
        spec = spec_of_array(array)
        data = np.ascontiguousarray(array)
        key = (spec, blake2b(data.reshape(-1).view(np.uint8).data, digest_size=16).digest())
        if key not in self._made:
            (self._made[key],) = self.add(const(data, spec))
        return self._made[key]

    def emit(
        self, name: str, operands: Sequence[Operand], params: Mapping[str, Param]
    ) -> list[SSAValue]:
        """Return a new graph op by its mnemonic; a param that is None is left to its default."""
        properties = {key: attribute_of(v) for key, v in params.items() if v is not None}
        return list(self.add(build(GRAPH_OPS[name], operands, properties)))

    def reshape(self, value: SSAValue, shape: tuple[int, ...]) -> SSAValue:
        """Return the value under another shape; a constant is reshaped at once."""
        if spec_of(value).shape == shape:
            return value
        if isinstance(value.owner, ConstOp) and prod(shape) == spec_of(value).elements:
            return self._arranged(self.const(value.owner.array.reshape(shape)), value)
        return self.emit("Reshape", [value], {"shape": shape})[0]

    def _arranged(self, value: SSAValue, source: SSAValue) -> SSAValue:
        """Return a constant that has the name of the one that it is arranged from."""
        if source in self.names:
            self.names.setdefault(value, self.names[source])
        return value

    def transpose(self, value: SSAValue, perm: tuple[int, ...]) -> SSAValue:
        """Return the value with its dims in another order; a constant is transposed at once."""
        if perm == tuple(range(len(perm))):
            return value
        if sorted(perm) == list(range(spec_of(value).rank)):
            if isinstance(value.owner, ConstOp):
                return self._arranged(self.const(value.owner.array.transpose(perm)), value)
            if (stored := stored_constant(value)) is not None:
                data = stored.array.transpose(perm)
                turned = self.add(const(data, spec_of(stored.out).transposed(perm)))
                return self.emit("Dequantize", turned, {})[0]
        return self.emit("Transpose", [value], {"perm": perm})[0]


def stored_constant(value: SSAValue) -> ConstOp | None:
    """Return the constant that a value is the reals of; None where it is none."""
    stored = value.owner.inp.owner if isinstance(value.owner, DequantizeOp) else None
    return stored if isinstance(stored, ConstOp) else None


def attribute_of(value: Param) -> Attribute:
    """Return a Python value as the property that graph ops keep it in."""
    match value:
        case Attribute():
            return value
        case DType():
            return plain_element_type(value)
        case None:
            raise TypeError("None is no param")
        case bool() | int() | float():
            return custom_attr(value)
        case _:
            return ints_attr(value)


def hinted(value: SSAValue, name: str) -> SSAValue:
    """Return the value, with a hint near the model's name for the printer.

    Numbers at its end are left to the printer, which makes equal hints different by such numbers.
    """
    hint = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
    hint = re.sub(r"(_\d+)+$", "", hint)
    if hint and not hint[0].isdigit() and value.name_hint is None:
        value.name_hint = hint
    return value


Named = tuple[str, SSAValue]


def main_function(
    block: Block, inputs: Sequence[str], results: Sequence[Named], model: str
) -> FuncOp:
    """Return `@main` with the names of its arguments and results, located at the model."""
    values = [value for _, value in results]
    block.add_op(end := ReturnOp(*values))
    end.location = named(model)
    function = FuncOp(
        "main",
        ([arg.type for arg in block.args], [value.type for value in values]),
        Region(block),
        arg_attrs=names_attr(inputs),
        res_attrs=names_attr([name for name, _ in results]),
    )
    function.location = end.location
    return function


def module_of(function: FuncOp) -> ModuleOp:
    """Return the module of a model, at the place of its function."""
    module = ModuleOp([function])
    module.location = function.location
    return module


def names_attr(names: Sequence[str]) -> ArrayAttr[DictionaryAttr]:
    """Return the names of arguments or results as the function keeps them."""
    return ArrayAttr([DictionaryAttr({NAME: StringAttr(name)}) for name in names])
