"""State: what survives from one inference to the next, as symbols of the module."""

from collections import Counter

from xdsl.dialects.builtin import (
    FlatSymbolRefAttrConstr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
    SymbolOpInterface,
    SymbolTable,
)
from xdsl.utils.exceptions import VerifyException

from ...attributes import verify_attributes
from ...spec_of import require, spec_of, spec_of_type, text, type_of
from ...text.own_op import OwnOp
from ...value import RANK, DType, LayoutKind, Memory, TensorSpec


@irdl_op_definition
class StateOp(OwnOp):
    """A tensor that outlives the inference; it starts out as never written.

    Constraints: (C1) the type is a tensor of rank 4, flat in main memory; (C2) a module writes a
    state in one place at most.

    Example: `htp.State @h : tensor<1x1x2x4xf32>`
    """

    name = "htp.State"

    sym_name = prop_def(SymbolNameConstraint())
    type_ = prop_def(TensorType[Attribute], prop_name="type")

    traits = traits_def(SymbolOpInterface())
    assembly_format = "$sym_name `:` $type attr-dict"

    def verify_(self) -> None:
        verify_attributes(self)
        spec = self.spec
        require(spec.rank == RANK, self, f"(C1) @{self.symbol} has rank {spec.rank}, not {RANK}")
        place = f"{spec.layout.value} in {spec.memory.value}"
        home = spec.layout is LayoutKind.FLAT and spec.memory is Memory.DDR
        require(home, self, f"(C1) @{self.symbol} is {place}, it must be flat in ddr")
        # The first state of a block checks the writes of all.
        before = self.prev_op
        while before is not None and not isinstance(before, StateOp):
            before = before.prev_op
        if before is None:
            self._verify_writes()

    @property
    def symbol(self) -> str:
        """The state's name, without the @."""
        return self.sym_name.data

    @property
    def spec(self) -> TensorSpec:
        """The spec of the tensor that the state holds."""
        return spec_of_type(self.type_)

    def _verify_writes(self) -> None:
        module = self.parent_op()
        if module is not None:
            names = [op.symbol for op in module.walk() if isinstance(op, StateWriteOp)]
            twice = [name for name, count in Counter(names).items() if count > 1]
            message = f"(C2) @{twice[0] if twice else ''} is written in more than one place"
            require(not twice, self, message)


class ReadsState(MemoryEffect):
    """Reads: unused it may go, and two are one where nothing is written between them."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        return {EffectInstance(MemoryEffectKind.READ, _reference(op))}


class WritesState(MemoryEffect):
    """Writes: it stays, and nothing moves across it."""

    @classmethod
    def get_effects(cls, op: Operation) -> set[EffectInstance]:
        return {EffectInstance(MemoryEffectKind.WRITE, _reference(op))}


@irdl_op_definition
class StateReadOp(OwnOp):
    """The state's value; `init` where `reset` is true or the state was never written.

    init like the state; reset Bool8 [1, 1, 1, 1].

    Constraints: (C1) the symbol is a state; (C2) init and result have its shape, dtype and
    quantisation; (C3) reset is one Bool8 element.

    Example: `%v = htp.StateRead @h, %init, %reset :
    tensor<1x1x2x4xf32>, tensor<1x1x1x1xi1> -> tensor<1x1x2x4xf32>`
    """

    name = "htp.StateRead"

    state = prop_def(FlatSymbolRefAttrConstr)
    init = operand_def()
    reset = operand_def()
    out = result_def()

    traits = traits_def(ReadsState())
    assembly_format = (
        "$state `,` $init `,` $reset attr-dict `:` type($init) `,` type($reset) `->` type($out)"
    )

    def verify_(self) -> None:
        verify_attributes(self)
        reset = spec_of(self.reset)
        problem = f"{text(reset.shape)} of {reset.dtype.name}"
        one = reset.shape == (1,) * RANK and reset.dtype is DType.Bool8
        require(one, self, f"(C3) operand 'reset' is {problem}, it must be 1x1x1x1 of Bool8")
        _agree(self, "operand 'init'", spec_of(self.init), "the result", spec_of(self.out))
        _agree_with_state(self, "operand 'init'", spec_of(self.init))

    @property
    def symbol(self) -> str:
        """The name of the state, without the @."""
        return self.state.root_reference.data


@irdl_op_definition
class StateWriteOp(OwnOp):
    """Keeps a value for the next inference.

    Constraints: (C1) the symbol is a state; (C2) the value has its shape, dtype and quantisation.

    Example: `htp.StateWrite @h, %v : tensor<1x1x2x4xf32>`
    """

    name = "htp.StateWrite"

    state = prop_def(FlatSymbolRefAttrConstr)
    value = operand_def()

    traits = traits_def(WritesState())
    assembly_format = "$state `,` $value attr-dict `:` type($value)"

    def verify_(self) -> None:
        verify_attributes(self)
        _agree_with_state(self, "operand 'value'", spec_of(self.value))

    @property
    def symbol(self) -> str:
        """The name of the state, without the @."""
        return self.state.root_reference.data


def state(name: str, spec: TensorSpec) -> StateOp:
    """A new state of this name."""
    return StateOp.create(properties={"sym_name": StringAttr(name), "type": type_of(spec)})


def state_read(source: StateOp, init: SSAValue, reset: SSAValue) -> StateReadOp:
    """A read of a state; `reset` is one Bool8 element."""
    return StateReadOp.create(
        operands=[init, reset],
        result_types=[type_of(source.spec)],
        properties={"state": SymbolRefAttr(source.sym_name)},
    )


def state_write(target: StateOp, value: SSAValue) -> StateWriteOp:
    """A write of a state."""
    return StateWriteOp.create(
        operands=[value], properties={"state": SymbolRefAttr(target.sym_name)}
    )


def _reference(op: Operation) -> SymbolRefAttr | None:
    return op.state if isinstance(op, StateReadOp | StateWriteOp) else None


def _agree(op: Operation, what: str, actual: TensorSpec, whose: str, wanted: TensorSpec) -> None:
    """Check shape, dtype and quantisation of two tensors; their places do not matter."""
    message = f"(C2) {what} is {_describe(actual)}, {whose} is {_describe(wanted)}"
    same = actual.shape == wanted.shape and actual.same_encoding(wanted)
    require(same, op, f"{message}; they must be equal")


def _describe(spec: TensorSpec) -> str:
    return f"{text(spec.shape)} of {spec.dtype.name}"


def _agree_with_state(op: StateReadOp | StateWriteOp, what: str, actual: TensorSpec) -> None:
    """Check a tensor against the state that the op names; an op in no module has none yet."""
    anchor = op.parent_op()
    while anchor is not None and not anchor.has_trait(SymbolTable):
        anchor = anchor.parent_op()
    if anchor is None:
        return
    state = SymbolTable.lookup_symbol(anchor, op.state)
    if not isinstance(state, StateOp):
        raise VerifyException(f"{op.name}: (C1) there is no state @{op.symbol}")
    _agree(op, what, actual, f"@{op.symbol}", state.spec)
