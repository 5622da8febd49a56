"""The contents of a memory report on one allocated module: its TCM over time, bytes by node.

Over time there is one block per residency of a tensor, in steps that run. Of each node of the model
there are the bytes between main memory and the chip, and what is in TCM at the peak.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import accumulate

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...dialects.attributes import DEFAULT_PLACEMENT
from ...dialects.diagnostics import fail
from ...dialects.htp import (
    AttentionOp,
    ConstOp,
    NativeOp,
    ReshapeOp,
    ShapeOp,
    StateReadOp,
    StateWriteOp,
    TransposeConv2dOp,
)
from ...dialects.htp.in_place import is_in_place
from ...dialects.htp.ops.copies import SpillOp
from ...dialects.htp.ops.rnn import RecurrentOp
from ...dialects.spec_of import spec_of
from ...dialects.value import CHUNK_BYTES, Memory
from ...runtime.program.boundary import main_function
from ...runtime.program.placing import declared_tcm
from ..levels import is_tensor, mnemonic, operand_label
from ..packages.loading import installed
from ..packages.packages import Packages
from ..passes.checks.check_level import TooLarge, too_large
from ..passes.placement.choose_places import noted_least
from ..passes.traffic import Traffic, Transfer, TransferKind, least_traffic, traffic
from ..planner.allocation.live_intervals import LiveInterval, peak_live
from .residencies import TensorResidency, TensorRole, Why, residencies
from .sources import OpSource, sources


@dataclass(frozen=True)
class NodeBytes:
    """The bytes that the ops of one node move, by kind; those that are padding, and a reason.

    The reason is that of most of the bytes.
    """

    node: str
    parts: Mapping[TransferKind, int]
    padding: int
    reason: str

    @property
    def bytes(self) -> int:
        """All bytes that the node moves."""
        return sum(self.parts.values())


def bytes_by_node(
    module: ModuleOp, packages: Packages, of: Mapping[Operation, OpSource]
) -> tuple[NodeBytes, ...]:
    """List the nodes that move bytes, the most first.

    An op of no node counts under its place in a text, or its name.
    """
    why = Why(packages.properties, main_function(module))
    moves: dict[str, list[Transfer]] = {}
    for move in traffic(module).transfers:
        source = of[move.op]
        moves.setdefault(source.node or source.origins or mnemonic(move.op), []).append(move)
    rows = (_row(node, own, why) for node, own in moves.items())
    return tuple(sorted(rows, key=lambda row: -row.bytes))


def _row(node: str, moves: Sequence[Transfer], why: Why) -> NodeBytes:
    parts, reasons = Counter[TransferKind](), Counter[tuple[TransferKind, str]]()
    for move in moves:
        parts[move.kind] += move.bytes
        reasons[move.kind, _cause(move, why)] += move.bytes
    ((kind, reason), _), *_ = reasons.most_common(1)
    padding = sum(move.padding for move in moves)
    return NodeBytes(node, dict(parts), padding, f"{kind.value}: {reason}")


def _cause(move: Transfer, why: Why) -> str:
    """Say why an op moves bytes; ops are named without their positions, so that they add up.

    One that computes from main memory names its largest tensor there.
    """
    op = move.op
    if DEFAULT_PLACEMENT in op.attributes:
        return f"{mnemonic(op)} does not fit the TCM"
    if move.kind not in (TransferKind.PARTS, TransferKind.DIRECT) or move.written > move.read:
        return why.cause(op.results[0]) if op.results else "the next state"
    sizes = {at: _bytes_in_ddr(value) for at, value in enumerate(op.operands)}
    largest = max(sizes, key=lambda at: sizes[at])
    spilled = ", which was spilled" * isinstance(op.operands[largest].owner, SpillOp)
    return f"{mnemonic(op)} reads '{operand_label(op, largest)}'{spilled}"


def _bytes_in_ddr(value: SSAValue) -> int:
    spec = spec_of(value) if is_tensor(value) else None
    return spec.nbytes if spec and spec.memory is Memory.DDR else 0


def at_peak(tensors: Sequence[TensorResidency]) -> tuple[TensorResidency, ...]:
    """List what is in TCM while the most bytes are, the largest first; parts of others left out."""
    own = [each for each in tensors if each.memory is Memory.TCM and not each.inside]
    change = Counter[int]()
    for each in own:
        change[each.first] += each.bytes
        change[each.last + 1] -= each.bytes
    steps = sorted(change)
    live = accumulate(change[step] for step in steps)
    peak = max(zip(live, steps, strict=True), key=lambda pair: pair[0], default=(0, 0))[1]
    there = (each for each in own if each.first <= peak <= each.last)
    return tuple(sorted(there, key=lambda each: -each.bytes))


def macs(module: ModuleOp) -> int:
    """Count the multiply-accumulates of one inference of `@main`; 0 for ops that have none."""
    ops = main_function(module).body.block.ops
    return sum(_macs_of(op) for op in ops if isinstance(op, NativeOp))


def _macs_of(op: NativeOp) -> int:
    """Count the products of one op: the products that each element of its result sums."""
    if isinstance(op, RecurrentOp):
        # Each step and batch entry multiplies all of W and R.
        _, steps, batch, _ = op.dims("X")
        weights = ("W", *op.RECURRENT)
        return steps * batch * sum(op.spec(name).elements for name in weights)
    if isinstance(op, AttentionOp):
        # Queries times keys, and weights times values.
        return (op.spec("q").elements + spec_of(op.out).elements) * op.dims("k")[2]
    if isinstance(op, TransposeConv2dOp):
        # Padding cuts results off; every element of the input goes into h * w * m sums.
        height, width, _, channels = op.dims("filter")
        return op.spec("in").elements * height * width * channels
    return spec_of(op.results[0]).elements * op.ACCESS.products(op) if op.ACCESS else 0


@dataclass(frozen=True)
class Totals:
    """One plan in figures; bytes of one inference.

    `least` is the bound on `moved`: every input, constant and output once, states in and out.
    `live` is the bound on `peak`: the largest sum of live bytes, in whole chunks.
    `least_converted` is the bound on `converted`, None where placement did not state it.
    `too_large` counts the ops that run from main memory as they do not fit the TCM.
    """

    moved: int
    least: int
    peak: int
    live: int
    conversions: int
    converted: int
    least_converted: int | None
    macs: int
    too_large: int = 0
    parts: dict[TransferKind, int] = field(default_factory=dict)


def totals(module: ModuleOp, tensors: Sequence[TensorResidency]) -> Totals:
    """Measure an allocated module whose residencies are `tensors`."""
    transfers: Traffic = traffic(module)
    count, converted = transfers.conversions
    own = [tensor for tensor in tensors if tensor.memory is Memory.TCM and not tensor.inside]
    ends = (tensor.offset + tensor.bytes for tensor in own if tensor.offset is not None)
    lives = [LiveInterval(tensor.name, tensor.bytes, tensor.first, tensor.last) for tensor in own]
    return Totals(
        moved=transfers.bytes,
        least=least_traffic(module),
        peak=max(ends, default=0),
        live=peak_live(lives, CHUNK_BYTES),
        conversions=count,
        converted=converted,
        least_converted=noted_least(main_function(module)),
        macs=macs(module),
        too_large=sum(DEFAULT_PLACEMENT in op.attributes for op in module.walk()),
        parts=dict(transfers.by_kind()),
    )


@dataclass(frozen=True)
class Op:
    """An op that runs, with its position in the function and the model's node."""

    position: int
    name: str
    node: str


@dataclass(frozen=True)
class ModulePlan:
    """The tensors, the ops that run and the figures of one allocated module.

    `nodes` are the bytes moved by node, `too_large` the ops without room in TCM.
    """

    tcm_bytes: int
    residencies: tuple[TensorResidency, ...]
    ops: tuple[Op, ...]
    totals: Totals
    nodes: tuple[NodeBytes, ...]
    too_large: tuple[TooLarge, ...]

    @property
    def steps(self) -> int:
        """The number of ops that run."""
        return len(self.ops)

    @property
    def moves(self) -> tuple[TensorResidency, ...]:
        """The spills and fills."""
        return tuple(
            move for move in self.residencies if move.role in (TensorRole.SPILL, TensorRole.FILL)
        )


def plan_of(module: ModuleOp, packages: Packages) -> ModulePlan:
    """Read an allocated module; HtpError for one without a TCM size."""
    size = declared_tcm(module)
    if size is None:
        raise fail("memory-report", "the module is not allocated", "run htp-lower first")
    rows = residencies(module, packages)
    body = list(main_function(module).body.block.ops)
    of = sources(body)
    ops = [
        Op(position, mnemonic(op), of[op].node) for position, op in enumerate(body) if _is_step(op)
    ]
    return ModulePlan(
        size,
        rows,
        tuple(ops),
        totals(module, rows),
        bytes_by_node(module, packages, of),
        too_large(module, packages.tables),
    )


@dataclass(frozen=True)
class OtherPlan:
    """Another plan of the model, to stand beside: its name, and the plan or why there is none."""

    name: str
    plan: ModulePlan | None
    fault: str = ""


def _is_step(op: Operation) -> bool:
    if isinstance(op, (ReshapeOp, ConstOp, ShapeOp)) or is_in_place(op):
        return False
    return isinstance(op, (NativeOp, StateReadOp, StateWriteOp))


_LEAST_HEIGHT = 4096
"""The lowest picture, in bytes: its quarters are whole KiB."""


class BlockLook(Enum):
    """The look of a block; the value is its CSS class."""

    PLAIN = "block"
    FILL = "block fill"
    PART = "block part"
    SCRATCH = "block scratch"


_LOOKS = {TensorRole.SCRATCH: BlockLook.SCRATCH, TensorRole.FILL: BlockLook.FILL}


@dataclass(frozen=True)
class Block:
    """A residency in TCM at an offset, from its first step to its last."""

    residency: TensorResidency
    offset: int
    first: int
    last: int
    look: BlockLook

    @property
    def end(self) -> int:
        """The first byte above the block."""
        return self.offset + self.residency.bytes


@dataclass(frozen=True)
class Timeline:
    """The residencies in TCM of one function, and its steps."""

    blocks: tuple[Block, ...]
    steps: tuple[Op, ...]

    @property
    def peak(self) -> int:
        """The first byte above all blocks."""
        return max((block.end for block in self.blocks), default=0)


def timeline(module: ModuleOp) -> Timeline:
    """Read the timeline of `@main`, with the installed op packages."""
    return timeline_of(plan_of(module, installed()))


def timeline_of(plan: ModulePlan) -> Timeline:
    """Read the timeline of a plan; whole tensors come before their parts."""
    positions = [op.position for op in plan.ops]
    blocks = [
        _block(tensor, tensor.offset, positions)
        for tensor in plan.residencies
        if tensor.memory is Memory.TCM and tensor.offset is not None
    ]
    blocks.sort(key=lambda block: block.look is BlockLook.PART)
    return Timeline(tuple(blocks), plan.ops)


def height(*plans: ModulePlan) -> int:
    """Return the bytes that a picture of plans spans: those of the TCM, halved while all fit.

    So the blocks of a small model can be seen in a large TCM.
    """
    top, peak = plans[0].tcm_bytes, max(plan.totals.peak for plan in plans)
    while top // 2 >= max(peak, _LEAST_HEIGHT):
        top //= 2
    return top


def _block(tensor: TensorResidency, offset: int, positions: Sequence[int]) -> Block:
    """Make a block; positions in the function become numbers of steps that run."""
    first = min(bisect_left(positions, tensor.first), max(len(positions) - 1, 0))
    last = max(bisect_right(positions, tensor.last) - 1, first)
    look = BlockLook.PART if tensor.inside else _LOOKS.get(tensor.role, BlockLook.PLAIN)
    return Block(tensor, offset, first, last, look)
