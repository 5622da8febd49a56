"""Every tensor of a placed or allocated function: its bytes, when, where, and why there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects.checks import text
from ...dialects.htp.base import NativeOp
from ...dialects.htp.ops.const import ShapeOp
from ...dialects.htp.ops.copies import ReasonedOp
from ...dialects.htp.ops.movement import ReshapeOp
from ...dialects.htp.ops.transfers import CopyWaitOp
from ...dialects.value.place import Memory
from ...dialects.value.spec import TensorSpec, spec_of
from ...runtime.program.boundary import inputs_of, main_function
from ..levels import is_tensor, mnemonic
from ..packages.packages import Packages
from ..passes.allocation.stays import root, spans, wholes
from .sources import source_nodes
from .why import Why


class Role(Enum):
    """What a tensor is there for."""

    DATA = "data"
    SCRATCH = "scratch"
    SPILL = "spill"
    FILL = "fill"


@dataclass(frozen=True)
class Held:
    """A tensor's stay in a memory, from the op that writes it to the last one that reads it.

    Ops are counted as they stand in the function. `inside` names the tensor whose bytes it lies
    in, for a part in place.
    """

    name: str
    node: str
    label: str
    bytes: int
    first: int
    last: int
    memory: Memory
    layout: str
    offset: int | None
    why: str
    inside: str = ""
    role: Role = Role.DATA

    @property
    def where(self) -> str:
        """Layout and memory as the IR spells them."""
        return f"{self.layout}, {self.memory.value}"


def tensors(module: ModuleOp, packages: Packages) -> tuple[Held, ...]:
    """The tensors of `@main` by the op that writes them; views and params are left out."""
    return tuple(_Reader(module, packages).read())


class _Reader:
    """The positions and names that all tensors of a function are described with."""

    def __init__(self, module: ModuleOp, packages: Packages) -> None:
        self._function = main_function(module)
        self._ops = list(self._function.body.block.ops)
        self._nodes = source_nodes(self._ops)
        self._position = {op: index for index, op in enumerate(self._ops)}
        self._why = Why(packages.properties, self._function)
        self._inside = wholes(self._ops)
        self._spans = spans(self._ops, self._inside)

    def read(self) -> Iterator[Held]:
        for name, value in inputs_of(self._function).items():
            yield self._held(value, name, name)
        for index, op in enumerate(self._ops):
            if isinstance(op, (ReshapeOp, ShapeOp, CopyWaitOp)):
                continue
            for result in op.results:
                if is_tensor(result) and not _only_param(result):
                    yield self._held(result, self._name(result), self._nodes[op])
            yield from self._scratch(op, index)

    def _held(self, value: SSAValue, name: str, node: str) -> Held:
        """A whole tensor stays from the first of its parts that is written to the last read."""
        whole = root(value, self._inside)
        first, last = self._spans.get(value, (0, 0))
        spec = spec_of(value)
        return Held(
            name,
            node,
            _label(spec),
            spec.nbytes,
            first if isinstance(value.owner, Operation) else 0,
            last,
            spec.memory,
            spec.layout.value,
            spec.place.offset if spec.place else None,
            self._why.text(value) if whole is value else "part of a whole, in place",
            "" if whole is value else self._name(whole),
            _role(value),
        )

    def _name(self, value: SSAValue) -> str:
        if not isinstance(value, OpResult):
            return "an input"
        suffix = f".{value.index}" if value.index else ""
        return f"{mnemonic(value.op)}@{self._position[value.op]}{suffix}"

    def _scratch(self, op: Operation, index: int) -> Iterator[Held]:
        """What the op's kernel needs while it runs."""
        specs = op.scratch_specs() if isinstance(op, NativeOp) else ()
        for number, spec in enumerate(specs):
            yield Held(
                f"{mnemonic(op)}@{index} scratch {number}",
                self._nodes[op],
                _label(spec),
                spec.nbytes,
                index,
                index,
                spec.memory,
                spec.layout.value,
                spec.place.offset if spec.place else None,
                "scratch of its kernel",
                role=Role.SCRATCH,
            )


def _role(value: SSAValue) -> Role:
    """Moves between the memories that the allocator added are no data of the model."""
    if not isinstance(value.owner, ReasonedOp):
        return Role.DATA
    return Role.SPILL if spec_of(value).memory is Memory.DDR else Role.FILL


def _label(spec: TensorSpec) -> str:
    return f"{text(spec.shape)} {spec.dtype.name}"


def _only_param(value: SSAValue) -> bool:
    """Whether a tensor is no data: every use is a param of an op."""
    uses = list(value.uses)
    return bool(uses) and all(
        isinstance(use.operation, NativeOp)
        and use.operation.operand_name(use.index) in use.operation.PARAMS
        for use in uses
    )
