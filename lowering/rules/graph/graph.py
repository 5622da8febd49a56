"""The IR as rules see it: a value object around an SSA value."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import ReturnOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from ....dialects.dense import Array
from ....dialects.htp import ConstOp, ShapeOp, ShapeType
from ....dialects.spec_of import spec_of
from ....dialects.text.constant import Constant
from ....dialects.value import Shape, TensorSpec
from .inputs import inputs_of

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
