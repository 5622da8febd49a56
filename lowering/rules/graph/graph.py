"""The IR and names of ops as rules see them: a value object around an SSA value, inputs of an op.

The inputs of a graph op are its operands, then its params as constants. So a graph op has the
inputs that a native op has, and one language of rules serves both levels. Equal params of two ops
are one value: one tag in a match asks for equal params. Numbers are converted as C++ would.

Example: the inputs of `qti_aisw.Softmax(%x) {axis = 1 : i64}` are `%x`, a constant 1 for `axis` and
a constant 1.0 for `beta`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import numpy as np
from xdsl.dialects.func import ReturnOp
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from ....dialects.diagnostics import closest, fail
from ....dialects.htp import ConstOp, ShapeOp, ShapeType
from ....dialects.htp.named import QNN_NAMES
from ....dialects.htp.ops.const import const
from ....dialects.qti_aisw import CustomOp, GraphOp
from ....dialects.qti_aisw.base import ParamValue, param_value
from ....dialects.qti_aisw.choices import Choice
from ....dialects.spec_of import Array, spec_of
from ....dialects.text.constant import Constant
from ....dialects.value import DType, LayoutKind, Memory, Shape, TensorSpec
from ....runtime.kernel.library import KernelRegistry

TO = "to"
"""The param that is the element type of the result."""
_IMPLIED = ("operandSegmentSizes", TO)
"""Properties that follow from an op's operands and results: no inputs."""


def inputs_of(op: Operation) -> Sequence[SSAValue]:
    """Return the operands of an op and, of a graph op, its params behind them.

    A graph op with an absent operand before a present one has none: no rule can name them.
    """
    if not isinstance(op, GraphOp) or isinstance(op, CustomOp):
        return op.operands
    present = [bool(getattr(op, name)) for name, _ in op.get_irdl_definition().operands]
    if present != sorted(present, reverse=True):
        return ()
    params = (name for name in params_of(type(op)) if name in op.properties)
    return (*op.operands, *(param_constant(name, op.properties[name]) for name in params))


def params_of(op_class: type[GraphOp]) -> tuple[str, ...]:
    """Return the names of the params of a graph op, in the order of its declaration."""
    return tuple(name for name in op_class.get_irdl_definition().properties if name not in _IMPLIED)


COLUMNS: dict[str, int] = {"pad_amount": 2, "ranges": 3}
"""Params that are matrices at the native level, and their number of columns."""

CASES: dict[str, tuple[str, ...]] = {"direction": ("forward", "reverse", "bidirectional")}
"""Params that are enums: a native constant holds the case's position."""

_ORIGIN = "htp.param"
"""The attribute of a constant that represents a param: the param itself."""
_KEPT = 4096
"""Number of params whose constants are kept."""


def param_array(name: str, value: ParamValue) -> tuple[Array, TensorSpec]:
    """Return the constant that represents a param: f32 for floats, i32 for everything else."""
    if isinstance(value, str):
        value = CASES[name].index(value)
    if isinstance(value, float):
        return np.full((1, 1, 1, 1), value, np.float32), TensorSpec((1, 1, 1, 1), DType.Float32)
    numbers: Sequence[int] = value if isinstance(value, tuple) else (int(value),)
    columns = COLUMNS.get(name, len(numbers)) or 1
    shape = (1, 1, len(numbers) // columns, columns)
    if max(map(abs, numbers), default=0) >= 1 << 31:
        problem = f"is {max(numbers, key=abs)}, and rules read numbers of 32 bits"
        raise fail(f"param '{name}'", problem, "give it a smaller number")
    return np.array(numbers, np.int32).reshape(shape), TensorSpec(shape, DType.Int32)


@lru_cache(maxsize=_KEPT)
def param_constant(name: str, param: Attribute) -> SSAValue:
    """Return the constant, outside of any graph, that represents a param; equal ones share it."""
    value = param_value(param)
    if isinstance(param, EnumAttribute) and isinstance(param.data, Choice):
        value = param.data.code
    constant = const(*param_array(name, value))
    constant.attributes[_ORIGIN] = param
    return constant.out


def origin(value: SSAValue) -> Attribute | None:
    """Return the param that a constant represents; None for a constant of a graph."""
    owner = value.owner
    return owner.attributes.get(_ORIGIN) if isinstance(owner, Constant) else None


INPUT, OUTPUT = "*Input", "*Output"
CONST, SHAPE = ConstOp.name, ShapeOp.name
EVERYWHERE = frozenset((INPUT, CONST))
"""Names of producers other than ops: rules find them in any graph."""
RESHAPE = "htp.Reshape"


@dataclass(frozen=True, slots=True)
class Node:
    """An output of an op or a graph input, to which a tag of a rule is bound."""

    value: SSAValue

    @property
    def op(self) -> Operation | None:
        """The op that makes the value; None for a graph input."""
        owner = self.value.owner
        return owner if isinstance(owner, Operation) else None

    @property
    def name(self) -> str:
        """The IR name of the op, `*Input` for a graph input; one for constants of all levels."""
        return producer_name(self.value)

    @property
    def index(self) -> int:
        """The index of the value among the outputs of its op."""
        return self.value.index if isinstance(self.value, OpResult | BlockArgument) else 0

    @property
    def is_shape(self) -> bool:
        """The value is of type !htp.shape: dims and no data."""
        return isinstance(self.value.type, ShapeType)

    @property
    def shape(self) -> Shape:
        """The dims of the tensor or of the shape."""
        type_ = self.value.type
        return type_.get_shape() if isinstance(type_, ShapeType) else spec_of(self.value).shape

    @property
    def spec(self) -> TensorSpec:
        """Shape, dtype, quantisation and place; VerifyException for a shape."""
        return spec_of(self.value)

    @property
    def inputs(self) -> tuple[Node, ...]:
        """The inputs of the op that makes the value; of a graph op with its params."""
        return tuple(map(Node, inputs_of(self.op))) if self.op and not self.is_input else ()

    @property
    def outputs(self) -> tuple[Node, ...]:
        """All outputs of the op that makes the value."""
        return tuple(Node(result) for result in self.op.results) if self.op else (self,)

    @property
    def constant(self) -> Array | None:
        """The data of a Const, stored integers if quantised; None for another op."""
        return self.op.array if isinstance(self.op, Constant) else None

    @property
    def consumers(self) -> tuple[str, ...]:
        """The names of the ops that read the value; `*Output` where the graph returns it."""
        users = (use.operation for use in self.value.uses)
        return tuple(
            OUTPUT if isinstance(user, ReturnOp) or _leaves(user) else user.name for user in users
        )

    @property
    def is_input(self) -> bool:
        """A graph input, or the Reshape to rank 4 behind one."""
        return self.name == INPUT


def producer_name(value: SSAValue) -> str:
    """Return the IR name of the op that makes a value, `*Input` for a graph input.

    The Reshape to rank 4 behind an input counts as the input. A constant has one name at every
    level.
    """
    owner = value.owner
    if isinstance(owner, Constant):
        return CONST
    return INPUT if not isinstance(owner, Operation) or _enters(owner) else owner.name


def is_boundary_op(op: Operation) -> bool:
    """Tell whether an op carries the function's signature, as the Reshape of an argument does."""
    return _enters(op) or _leaves(op)


def _enters(op: Operation) -> bool:
    return op.name == RESHAPE and isinstance(op.operands[0], BlockArgument)


def _leaves(op: Operation) -> bool:
    users = (use.operation for use in op.results[0].uses) if op.name == RESHAPE else ()
    return any(isinstance(user, ReturnOp) for user in users)


class ExprKind(Enum):
    """The type of an expression; the value is the word in messages."""

    BOOL = "bool"
    INT = "int"
    SIZE = "size"
    FLOAT = "float"
    DTYPE = "dtype"
    NODE = "node"
    SHAPE = "shape"
    OP = "new op"
    TEXT = "string"
    VAR = "split tag"
    EXTERNAL = "function"


Number = bool | int | float
Value = Number | DType | Node | str | Shape

NUMBERS = frozenset({ExprKind.BOOL, ExprKind.INT, ExprKind.SIZE, ExprKind.FLOAT})
INTEGERS = frozenset({ExprKind.BOOL, ExprKind.INT, ExprKind.SIZE})
VALUES = NUMBERS | {ExprKind.DTYPE, ExprKind.NODE}
BUILT = frozenset({ExprKind.NODE, ExprKind.SHAPE, ExprKind.OP})

INT_MIN, INT_MAX = -(2**31), 2**31 - 1
SIZE_MAX = 2**64 - 1


class EvaluationError(ValueError):
    """An expression without a value: a missing dim, a division by zero."""


def common_kind(kinds: Iterable[ExprKind]) -> ExprKind:
    """Return the type in which C++ computes with these numbers: float, else unsigned, else int."""
    present = tuple(kinds)
    for kind in (ExprKind.FLOAT, ExprKind.SIZE):
        if kind in present:
            return kind
    return ExprKind.INT


def convert(value: Number, kind: ExprKind) -> Number:
    """Convert a number: int wraps at 32 bits, size at 64, floats lose their fraction."""
    if kind is ExprKind.FLOAT:
        return float(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise EvaluationError(f"{value} is no integer")
        value = math.trunc(value)
    if kind is ExprKind.SIZE:
        return int(value) & SIZE_MAX
    if INT_MIN <= value <= INT_MAX:
        return int(value)
    return (value - INT_MIN) % 2**32 + INT_MIN


DEFAULT_PACKAGE = "htp"
DEFAULT_PREFIX = "q"
GRAPH = "qti_aisw"
"""The package whose bare op names are graph ops."""
_SPECIAL = {"$Const": CONST, "$Shape": SHAPE, INPUT: INPUT, OUTPUT: OUTPUT}


@lru_cache(maxsize=1 << 14)
def resolve(name: str, package: str) -> str:
    """Resolve `Add` to `htp.Add`, `Pkg::Add` to `Pkg.Add`, `q::Add` to `htp.Add`; `$Const` too."""
    if name in _SPECIAL:
        return _SPECIAL[name]
    owner, mark, op = name.partition("::")
    if not mark:
        return f"{package}.{name}"
    return f"{DEFAULT_PACKAGE if owner == DEFAULT_PREFIX else owner}.{op}"


def spelling(full: str, package: str) -> str:
    """Return an op of the IR as a rule of a package names it."""
    owner, _, op = full.partition(".")
    if owner == package:
        return f'"{op}"'
    return f'FROM_DEFAULT_PACKAGE("{op}")' if owner == DEFAULT_PACKAGE else f'"{owner}::{op}"'


def remedy(name: str, package: str, known: Iterable[str], cpp: bool = False) -> str:
    """Return what to write instead of a name in a rule that no op has, or beside it.

    `cpp` says that it would be an op of a package that is written in C++.
    """
    spelt: dict[str, list[str]] = {}
    names = dict.fromkeys([*known, *(f"{DEFAULT_PACKAGE}.{name}" for name in QNN_NAMES)])
    for full in names:
        level, _, mnemonic = full.partition(".")
        # Of an op of both levels the native one is meant.
        if level != GRAPH or f"{DEFAULT_PACKAGE}.{mnemonic}" not in names:
            spelt.setdefault(mnemonic, []).append(spelling(full, package))
    owner, _, op = resolve(name, package).partition(".")
    if op in spelt:
        why = "" if "::" in name else f": a bare name is an op of {package}"
        return f"write {' or '.join(spelt[op])}{why}"
    near = [text for close in closest(op, spelt) for text in spelt[close]]
    if near:
        return f"did you mean {' or '.join(near)}?"
    if owner == DEFAULT_PACKAGE:
        kernel = f'KernelSet("{DEFAULT_PACKAGE}") with @KERNELS.kernel("{op}")'
        return f"if the processor has it, bring a kernel in Python: {kernel}"
    if cpp:
        return f'declare it: DEF_PACKAGE_OP(function, "{op}")'
    return f"declare it in package {owner}{', or load that one' if owner != package else ''}"


def FROM_DEFAULT_PACKAGE(name: str) -> str:
    """Return the name of a native op, for rules of other packages.

    Example: `Op(FROM_DEFAULT_PACKAGE("Relu"), "X")`
    """
    return f"{DEFAULT_PREFIX}::{name}"


ROOT = "*"
"""The tag of the first output of an op, in rules and in tensor properties."""


@dataclass(frozen=True)
class TensorProperties:
    """The layout and memory that an op demands, by tag; a tag that is absent is free.

    `inputs` names the operands in order, `outputs` the results; the first is also called `*`.
    """

    op: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    layouts: tuple[tuple[str, LayoutKind], ...]
    memories: tuple[tuple[str, Memory], ...]

    def layout(self, tag: str) -> LayoutKind | None:
        """Return the layout that a tensor must have, if any."""
        return dict(self.layouts).get(self._own(tag))

    def memory(self, tag: str) -> Memory | None:
        """Return the memory that a tensor must be in, if any."""
        return dict(self.memories).get(self._own(tag))

    def input_tag(self, index: int) -> str | None:
        """Return the tag of an operand; None for one that the op does not name."""
        return self.inputs[index] if index < len(self.inputs) else None

    def _own(self, tag: str) -> str:
        """Return the tag under which a tensor's demands are kept."""
        return self.outputs[0] if tag == ROOT else tag


@dataclass(frozen=True)
class OpTables:
    """The tensor properties of ops, by IR name, and the kernels of the same ops."""

    properties: Mapping[str, TensorProperties]
    kernels: KernelRegistry
