"""Residencies: which tensor is in which memory, when, at which offset, and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue

from ...dialects.checks import text
from ...dialects.htp import CopyWaitOp, NativeOp, ReshapeOp, ShapeOp
from ...dialects.htp.ops.copies import ReasonedOp
from ...dialects.spec_of import spec_of
from ...dialects.value import Memory, TensorSpec
from ...runtime.program.boundary import inputs_of, main_function
from ..levels import is_tensor, mnemonic
from ..packages.packages import Packages
from ..passes.allocation.live_intervals import root, spans, wholes
from .sources import OpSource, sources
from .why import Why


class TensorRole(Enum):
    """The purpose of a tensor."""

    DATA = "data"
    SCRATCH = "scratch"
    SPILL = "spill"
    FILL = "fill"


@dataclass(frozen=True)
class TensorResidency:
    """A tensor in a memory, from the op that writes it to the last op that reads it.

    Ops are counted in the order of the function. `inside` names the whole tensor of a part that is
    in place.
    """

    name: str
    source: OpSource
    label: str
    bytes: int
    first: int
    last: int
    memory: Memory
    layout: str
    offset: int | None
    why: str
    inside: str = ""
    role: TensorRole = TensorRole.DATA

    @property
    def node(self) -> str:
        """The first node that the tensor comes from."""
        return self.source.node

    @property
    def where(self) -> str:
        """Layout and memory as the IR spells them."""
        return f"{self.layout}, {self.memory.value}"


def residencies(module: ModuleOp, packages: Packages) -> tuple[TensorResidency, ...]:
    """List the tensors of `@main` in the order of writing; views and params are left out."""
    return tuple(_ResidencyReader(module, packages).read())


class _ResidencyReader:
    """A reader of one function that knows the positions and names of its ops."""

    def __init__(self, module: ModuleOp, packages: Packages) -> None:
        self._function = main_function(module)
        self._ops = list(self._function.body.block.ops)
        self._sources = sources(self._ops)
        self._position = {op: index for index, op in enumerate(self._ops)}
        self._why = Why(packages.properties, self._function)
        self._inside = wholes(self._ops)
        self._spans = spans(self._ops, self._inside)

    def read(self) -> Iterator[TensorResidency]:
        for name, value in inputs_of(self._function).items():
            yield self._residency(value, name, OpSource(name, f"input '{name}'"))
        for index, op in enumerate(self._ops):
            if isinstance(op, (ReshapeOp, ShapeOp, CopyWaitOp)):
                continue
            for result in op.results:
                if is_tensor(result) and not only_param(result):
                    yield self._residency(result, self._name(result), self._sources[op])
            yield from self._scratch(op, index)

    def _residency(self, value: SSAValue, name: str, source: OpSource) -> TensorResidency:
        """Describe a tensor; a whole lasts from the first write of a part to the last read."""
        whole = root(value, self._inside)
        first, last = self._spans.get(value, (0, 0))
        spec = spec_of(value)
        return TensorResidency(
            name,
            source,
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

    def _scratch(self, op: Operation, index: int) -> Iterator[TensorResidency]:
        """List the scratch tensors of the op's kernel."""
        specs = op.scratch_specs() if isinstance(op, NativeOp) else ()
        for number, spec in enumerate(specs):
            yield TensorResidency(
                f"{mnemonic(op)}@{index} scratch {number}",
                self._sources[op],
                _label(spec),
                spec.nbytes,
                index,
                index,
                spec.memory,
                spec.layout.value,
                spec.place.offset if spec.place else None,
                "scratch of its kernel",
                role=TensorRole.SCRATCH,
            )


def _role(value: SSAValue) -> TensorRole:
    """Return the purpose; the moves that the allocator added are not data of the model."""
    if not isinstance(value.owner, ReasonedOp):
        return TensorRole.DATA
    return TensorRole.SPILL if spec_of(value).memory is Memory.DDR else TensorRole.FILL


def _label(spec: TensorSpec) -> str:
    return f"{text(spec.shape)} {spec.dtype.name}"


def only_param(value: SSAValue) -> bool:
    """Return true if every use of a tensor is as a param of an op, so that it is not data."""
    uses = list(value.uses)
    return bool(uses) and all(
        isinstance(use.operation, NativeOp)
        and use.operation.operand_name(use.index) in use.operation.PARAMS
        for use in uses
    )
