"""The contents of a stream report: flows of the outputs, states, joins of different rates.

A flow says when a value is computed, and which frames it sees; a frame is what one inference
brings. Values join, are gathered by a Buffer or remembered by a recurrent layer; each is one
function from flows to a flow. Example: a BLOCKING Buffer of 8 frames with stride 4 runs at 8, 12,
16, ... and sees 8 frames; another of 2 frames behind it, with stride 1, runs at 12, 16, ... and
sees 12 frames.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations
from math import gcd, inf, prod

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ....dialects.diagnostics import Fault
from ....dialects.faults.op_faults import fault_at
from ....dialects.qti_aisw.base import GraphOp
from ....dialects.qti_aisw.choices import BufferMode
from ....dialects.qti_aisw.ops.rnn import BufferOp, StatefulGruOp, StatefulLstmOp
from ....dialects.spec_of import spec_of
from ....runtime.kernel.library import graph_operands
from ....runtime.program.boundary import inputs_of, main_function, op_label, outputs_of
from ....runtime.program.preparation import prepare
from ....runtime.program.program import StatefulStep
from ....runtime.program.state import StateSpec
from ...levels import Level
from ...packages.packages import Packages
from ...passes.checks.check_level import check_level


@dataclass(frozen=True)
class StreamSchedule:
    """The inference `first` and from there on every `every`-th; inferences count from 1.

    StreamSchedule(2, 3) is 2, 5, 8, ...; it meets StreamSchedule(1, 2), which is 1, 3, 5, ..., at
    5, 11, 17, ..., the schedule of their least common multiple (Chinese remainder theorem).
    """

    first: int = 1
    every: int = 1

    @property
    def wait(self) -> int:
        """The most inferences from any one to the next of the schedule, both ends included."""
        return max(self.first, self.every) - 1

    def then(self, inner: StreamSchedule) -> StreamSchedule:
        """Return the schedule of something that counts the inferences of this one as its own."""
        return StreamSchedule(self.first + (inner.first - 1) * self.every, self.every * inner.every)

    def meet(self, other: StreamSchedule) -> StreamSchedule | None:
        """Return the inferences of both schedules; None where there are none."""
        common = gcd(self.every, other.every)
        apart = other.first - self.first
        if apart % common:
            return None
        period = self.every // common * other.every
        inverse = pow(self.every // common, -1, other.every // common)
        at = self.first + apart // common * inverse * self.every
        least = max(self.first, other.first)
        return StreamSchedule(least + (at - least) % period, period)


ALWAYS = StreamSchedule()
"""The schedule of each inference from the first on."""


def meet(*schedules: StreamSchedule | None) -> StreamSchedule | None:
    """Return the inferences of all; None is the schedule of what never happens."""
    common: StreamSchedule | None = ALWAYS
    for schedule in schedules:
        common = common.meet(schedule) if common and schedule else None
    return common


@dataclass(frozen=True)
class Window:
    """The frames of one input that a value sees: at most `frames`, the newest included.

    `frames` is infinite where all since the last reset count. `whole` is false where some frames
    are seen at no run, as they came and went between two of them.
    """

    frames: float = 1
    whole: bool = True

    def at(self, runs: StreamSchedule) -> Window:
        """Return the window of a value that is looked at by this schedule only."""
        return Window(self.frames, self.whole and self.frames >= runs.every)


@dataclass(frozen=True)
class Flow:
    """The runs of a value, those that give full windows, and its window of each input.

    Full is a value that no padding and no empty row of a Buffer went into. None is a schedule that
    never comes.
    """

    runs: StreamSchedule | None = ALWAYS
    full: StreamSchedule | None = ALWAYS
    sees: Mapping[str, Window] = field(default_factory=dict)

    def latency(self, name: str) -> int | None:
        """Count the most frames that one of an input waits for the first run that sees it."""
        return self._wait(self.runs, self.sees[name])

    def latency_full(self, name: str) -> int | None:
        """Count the most frames until the first full run that sees it."""
        return self._wait(self.full, self.sees[name])

    @staticmethod
    def _wait(schedule: StreamSchedule | None, window: Window) -> int | None:
        return int(min(schedule.wait, window.frames - 1)) if schedule else None


@dataclass(frozen=True)
class Gathering:
    """The params of a Buffer, in frames instead of rows."""

    size: int
    stride: int = 1
    padding: int = 0
    blocking: bool = False

    def runs(self) -> StreamSchedule:
        """Return the schedule of a window's results, in frames that the window takes."""
        first = self.size - self.padding or self.stride
        return StreamSchedule(first, self.stride) if self.blocking else ALWAYS

    def full(self, partial: int) -> StreamSchedule:
        """Return the schedule of full results where the first `partial` frames are not full.

        These and the padding go in steps of the stride, the first step after the Buffer is full.
        """
        steps = -(-(self.padding + partial) // self.stride)
        return StreamSchedule(self.size - self.padding + steps * self.stride, self.stride)


def joined(data: Sequence[Flow], controls: Sequence[Flow] = ()) -> Flow:
    """Return the flow of an op: it runs when all operands are there, and sees what `data` see."""
    runs = meet(*(flow.runs for flow in (*data, *controls)))
    full = meet(runs, *(flow.full for flow in data))
    if runs is None:
        return Flow(None, None)
    sees: dict[str, Window] = {}
    for flow in data:
        for name, window in flow.sees.items():
            here, other = window.at(runs), sees.get(name, Window(0, False))
            sees[name] = Window(max(here.frames, other.frames), here.whole or other.whole)
    return Flow(runs, full, sees)


def gathered(flow: Flow, gathering: Gathering) -> Flow:
    """Return the flow behind a Buffer."""
    if flow.runs is None:
        return flow
    before = (gathering.size - 1) * flow.runs.every
    sees = {name: Window(w.frames + before, w.whole) for name, w in flow.sees.items()}
    return Flow(flow.runs.then(gathering.runs()), _full(flow, flow.runs, gathering), sees)


def _full(flow: Flow, runs: StreamSchedule, gathering: Gathering) -> StreamSchedule | None:
    """Return the full results of a Buffer: one that takes several frames needs all of them full."""
    if flow.full is None or gathering.size == 1:
        return flow.full
    if flow.full.every > runs.every:
        return None
    return runs.then(gathering.full((flow.full.first - runs.first) // runs.every))


def remembered(flow: Flow) -> Flow:
    """Return the flow behind a recurrent layer, whose state has seen all frames."""
    sees = {name: Window(inf, window.whole) for name, window in flow.sees.items()}
    return Flow(flow.runs, flow.full, sees)


Rate = tuple[str, StreamSchedule]
"""The BLOCKING Buffers that a value waits for, by name, and the schedule that comes of them."""


class Loss(Enum):
    """The operands of which a join uses not every result."""

    ONE = "results of one are lost"
    BOTH = "results of both are lost"
    ALL = "they never meet"


@dataclass(frozen=True)
class Join:
    """An op and two of its operands, by their rates; None for `runs` that never come."""

    op: Operation
    label: str
    operands: tuple[Rate, Rate]
    runs: StreamSchedule | None

    @property
    def differs(self) -> bool:
        """Tell whether one operand runs more often than the other, or they never meet."""
        return self.runs is None or len({schedule.every for _, schedule in self.operands}) > 1

    @property
    def loss(self) -> Loss:
        """The loss; of two rates that contradict each other both lose."""
        if self.runs is None:
            return Loss.ALL
        slowest = max(schedule.every for _, schedule in self.operands)
        return Loss.BOTH if self.runs.every > slowest else Loss.ONE

    def text(self) -> str:
        """Write both rates and what comes of them."""
        rates = " and ".join(f"{name} {rate_text(at)}" for name, at in self.operands)
        both = f", both {rate_text(self.runs)}" if self.runs else ""
        return f"joins {rates}{both}: {self.loss.value}"

    def fault(self) -> Fault:
        """Make the fault of rates that contradict each other."""
        remedy = "give the Buffers one stride and one first run, or keep their results apart"
        return fault_at(self.op, self.text(), remedy, self.label)


def join_of(op: Operation, label: str, operands: Sequence[Rate]) -> Join | None:
    """Find the two operands that lose most of those that are slower than the stream."""
    slow = dict.fromkeys(rate for rate in operands if rate[1].every > 1)
    pairs = [Join(op, label, pair, pair[0][1].meet(pair[1][1])) for pair in combinations(slow, 2)]
    differ = [join for join in pairs if join.differs]
    return max(differ, key=lambda join: list(Loss).index(join.loss), default=None)


def rate_text(schedule: StreamSchedule) -> str:
    """Write a schedule: `every 3rd from 2`."""
    return f"{every_text(schedule.every)} from {schedule.first}"


def every_text(every: int) -> str:
    """Write a rate: every, every 2nd, every 11th."""
    if every == 1:
        return "every"
    ending = "th" if every % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(every % 10)
    return f"every {every}{ending or 'th'}"


_RECURRENT = ("X", "sequence_lens")
_DATA = {BufferOp: ("inp",), StatefulGruOp: _RECURRENT, StatefulLstmOp: _RECURRENT}
"""The operands of ops with state that bring frames; the others only say where to begin."""


@dataclass(frozen=True)
class StreamState:
    """A state and the op that keeps it."""

    op: str
    spec: StateSpec

    @property
    def nbytes(self) -> int:
        """The bytes that survive from one inference to the next."""
        return prod(self.spec.shape) * self.spec.dtype.itemsize


@dataclass(frozen=True)
class Stream:
    """The flow of each output by name, the states, the joins of different rates."""

    outputs: Mapping[str, Flow]
    states: tuple[StreamState, ...]
    joins: tuple[Join, ...]

    @property
    def state_bytes(self) -> int:
        """The bytes of all states."""
        return sum(state.nbytes for state in self.states)

    @property
    def faults(self) -> list[Fault]:
        """The faults of joins whose rates contradict each other."""
        return [join.fault() for join in self.joins if join.loss is not Loss.ONE]


def stream_of(module: ModuleOp, packages: Packages) -> Stream:
    """Read a module of the graph level; HtpError for another level."""
    check_level(module, Level.GRAPH)
    reader = _StreamReader()
    function = main_function(module)
    for name, value in inputs_of(function).items():
        reader.flows[value] = Flow(sees={name: Window()})
    for index, op in enumerate(function.body.block.ops):
        if isinstance(op, GraphOp):
            reader.read(op, op_label(op, index))
        else:
            # A constant: it is there in every inference, and brings no frame.
            reader.flows.update(dict.fromkeys(op.results, Flow()))
    program = prepare(module, packages.library)
    specs = {spec.name: spec for spec in program.states}
    steps = (step for step in program.steps if isinstance(step, StatefulStep))
    states = tuple(
        StreamState(step.label, specs[symbol]) for step in steps for symbol in step.symbols
    )
    outputs = {name: reader.flows[value] for name, value in outputs_of(function).items()}
    return Stream(outputs, states, tuple(reader.joins))


class _StreamReader:
    """A walk over the ops in their order: the flow and the Buffers of each value so far."""

    def __init__(self) -> None:
        self.flows: dict[SSAValue, Flow] = {}
        self.joins: list[Join] = []
        self._gates: dict[SSAValue, tuple[str, ...]] = {}

    def read(self, op: GraphOp, label: str) -> None:
        """Note the flow of an op's results, and a join of rates that differ."""
        kind = type(op)
        brings = _DATA.get(kind)
        data: list[Flow] = []
        controls: list[Flow] = []
        for name, value in graph_operands(op):
            if value is not None:
                (data if brings is None or name in brings else controls).append(self.flows[value])
        flow = joined(data, controls)
        names = dict.fromkeys(name for v in op.operands for name in self._gates.get(v, ()))
        gates = tuple(names)
        if isinstance(op, BufferOp):
            gathering = _gathering(op)
            flow = gathered(flow, gathering)
            gates = (label,) if gathering.blocking else gates
        elif brings is not None:
            flow = remembered(flow)
        rates = [(", ".join(self._gates.get(v, ())), self.flows[v].runs) for v in op.operands]
        join = join_of(op, label, [(name, runs) for name, runs in rates if runs is not None])
        self.joins += [join] if join else []
        self.flows.update(dict.fromkeys(op.results, flow))
        self._gates.update(dict.fromkeys(op.results, gates))


def _gathering(op: BufferOp) -> Gathering:
    """Read a Buffer's params, which count rows, in frames."""
    rows = spec_of(op.inp).shape[op.int_param("buffer_dim")]
    params = ("buffer_size", "stride", "buffer_padding")
    size, stride, padding = (op.int_param(name) // rows for name in params)
    return Gathering(size, stride, padding, op.mode.data is BufferMode.BLOCKING)
