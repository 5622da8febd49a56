"""A plan said in full: every buffer, every part that moves, every run of a node, in their order."""

from collections.abc import Iterator
from dataclasses import dataclass

from .graph import Graph, Kind, Segment, cut_out
from .nest import Nest
from .search import FromMemory, Plan, Step
from .sizes import CHUNK, Rules, round_up
from .stream import Stream, blocks
from .strips import Range, Strip, Sweep, sweep
from .takes import split


@dataclass(frozen=True)
class Part:
    """Rows and columns of one image of a tensor, with all channels."""

    tensor: int
    image: int
    rows: Range
    columns: Range


@dataclass(frozen=True)
class Hold:
    """A buffer in TCM that some tensors share."""

    buffer: str
    bytes: int
    tensors: tuple[int, ...] = ()


@dataclass(frozen=True)
class Release:
    """The end of a buffer."""

    buffer: str


@dataclass(frozen=True)
class Fetch:
    """A part that is copied to TCM."""

    part: Part


@dataclass(frozen=True)
class Write:
    """A part that is copied from TCM."""

    part: Part


@dataclass(frozen=True)
class Drop:
    """A part in TCM that nobody needs any more."""

    part: Part


@dataclass(frozen=True)
class Load:
    """A block of a node's weights, or its other constants (block -1), copied to TCM."""

    node: int
    block: int
    bytes: int


@dataclass(frozen=True)
class Forget:
    """A block of weights that leaves TCM."""

    node: int
    block: int


@dataclass(frozen=True)
class Make:
    """A run of a node on a part of its result, of its operand for a sum; one block of weights."""

    node: int
    part: Part
    block: int


@dataclass(frozen=True)
class Loops:
    """A nest of loops, which another program follows."""

    node: int
    nest: Nest
    before: frozenset[int]
    behind: frozenset[int]


@dataclass(frozen=True)
class Direct:
    """An opaque node that runs from main memory."""

    node: int


Action = Hold | Release | Fetch | Write | Drop | Load | Forget | Make | Loops | Direct


def actions(graph: Graph, plan: Plan, rules: Rules) -> Iterator[Action]:
    """Say a plan in full."""
    for step in plan.steps:
        for index in sorted(step.behind - step.before):
            whole = rules.whole(graph.tensors[index])
            yield Hold(f"whole {index}", whole, (index,))
        yield from _of_step(graph, step, rules)
        for index in sorted(step.before - step.behind):
            for part in _all(graph, index):
                if index in step.evicted:
                    yield Write(part)
                yield Drop(part)
            yield Release(f"whole {index}")


def _of_step(graph: Graph, step: Step, rules: Rules) -> Iterator[Action]:
    if isinstance(step.way, Stream):
        segment, order = cut_out(graph, step.first, step.end)
        yield from _Expansion(graph, step, rules, segment, order, step.way).actions()
    elif isinstance(step.way, Nest):
        yield Loops(step.first, step.way, step.before, step.behind)
    elif isinstance(step.way, FromMemory):
        yield Direct(step.first)


def _all(graph: Graph, index: int) -> Iterator[Part]:
    tensor = graph.tensors[index]
    for image in range(tensor.images):
        yield Part(index, image, (0, tensor.rows), (0, tensor.columns))


@dataclass(frozen=True)
class _Expansion:
    """One stream of a plan."""

    graph: Graph
    step: Step
    rules: Rules
    segment: Segment
    order: tuple[int, ...]
    stream: Stream

    def actions(self) -> Iterator[Action]:
        moves = sweep(self.segment, self.rules, self.stream.step, self.stream.stripes)
        if moves is None:
            raise ValueError("the plan has a stream that cannot run")
        buffers = list(self._buffers(moves))
        yield from buffers
        yield from self._pins()
        for image in range(self.segment.tensors[self.segment.nodes[-1].result].images):
            for columns, owned in zip(moves.stripes, moves.owned, strict=True):
                for number, strip in enumerate(moves.strips):
                    yield from self._strip(image, strip, columns, owned)
                    low = moves.strips[number + 1].low if number + 1 < len(moves.strips) else None
                    yield from self._drops(image, strip, low, columns)
        for node, count in enumerate(self.stream.pinned):
            for block in (*range(count), -1):
                yield Forget(self.step.first + node, block)
        for hold in buffers:
            yield Release(hold.buffer)

    def _is_whole(self, local: int) -> bool:
        return self.order[local] in self.step.before | self.step.behind

    def _buffers(self, moves: Sweep) -> Iterator[Hold]:
        direct = tuple(self.order[i] for i in sorted(self.stream.direct))
        yield Hold("window", self.stream.window, direct)
        for local, tensor in enumerate(self.segment.tensors):
            if not self._is_whole(local) and local not in self.stream.direct:
                widest = max(columns[local][1] - columns[local][0] for columns in moves.stripes)
                size = self.rules.held(tensor, moves.rings[local], widest)
                yield Hold(f"ring {self.order[local]}", size, (self.order[local],))
        largest = 0
        for number, node in enumerate(self.segment.nodes):
            cut, count = blocks(node, self.segment, self.rules), self.stream.pinned[number]
            yield Hold(f"extras {number}", round_up(node.extras, CHUNK))
            yield Hold(f"pinned {number}", round_up(sum(cut[:count]), CHUNK))
            if not self.rules.reads_in_place(self.segment.tensors[node.result]):
                largest = max([largest, *cut[count:]])
        yield Hold("block", round_up(largest, CHUNK))

    def _pins(self) -> Iterator[Load]:
        for number, node in enumerate(self.segment.nodes):
            yield Load(self.step.first + number, -1, node.extras)
            cut = blocks(node, self.segment, self.rules)
            for block in range(self.stream.pinned[number]):
                yield Load(self.step.first + number, block, cut[block])

    def _strip(
        self, image: int, strip: Strip, columns: tuple[Range, ...], owned: tuple[Range, ...]
    ) -> Iterator[Action]:
        for local in self.segment.sources:
            if not self._is_whole(local) and local not in self.stream.direct:
                yield from self._moved(Fetch, image, local, strip.new[local], columns[local])
        for number in range(len(self.segment.nodes)):
            yield from self._runs(image, number, strip, columns)
        for local in self.segment.leaving:
            if not self._is_whole(local):
                yield from self._moved(Write, image, local, strip.new[local], owned[local])

    def _moved(
        self, action: type[Fetch] | type[Write], image: int, local: int, rows: Range, columns: Range
    ) -> Iterator[Action]:
        if rows[0] < rows[1] and columns[0] < columns[1]:
            yield action(Part(self.order[local], image, rows, columns))

    def _runs(
        self, image: int, number: int, strip: Strip, columns: tuple[Range, ...]
    ) -> Iterator[Action]:
        node = self.segment.nodes[number]
        paced = node.operands[0].tensor if node.kind is Kind.SUM else node.result
        rows, across = strip.new[paced], columns[paced]
        if rows[0] == rows[1]:
            return
        is_direct = any(o.tensor in self.stream.direct for o in node.operands)
        windowed = any(o.is_windowed for o in node.operands) and self.rules.croutons
        parts = split(across, self.stream.parts) if windowed else [across]
        heights = [rows]
        if node.kind is Kind.RECURRENCE:
            heights = [(row, row + 1) for row in range(*rows)]
        for height in heights:
            for group in [[part] for part in parts] if is_direct else [parts]:
                yield from self._with_weights(image, number, height, group)

    def _with_weights(
        self, image: int, number: int, rows: Range, parts: list[Range]
    ) -> Iterator[Action]:
        """Run a node on parts of a strip, block by block of its weights."""
        node, position = self.segment.nodes[number], self.step.first + number
        paced = node.operands[0].tensor if node.kind is Kind.SUM else node.result
        cut, pinned = blocks(node, self.segment, self.rules), self.stream.pinned[number]
        direct = [o for o in node.operands if o.tensor in self.stream.direct]
        windows = [
            Part(
                self.order[o.tensor],
                image,
                o.rows.of(*rows, self.segment.tensors[o.tensor].rows),
                o.columns.of(*part, self.segment.tensors[o.tensor].columns),
            )
            for o in direct
            for part in parts
        ]
        windows = [w for w in windows if w.rows[0] < w.rows[1] and w.columns[0] < w.columns[1]]
        yield from map(Fetch, windows)
        for block in range(max(len(cut), 1)):
            if cut and block >= pinned:
                yield Load(position, block, cut[block])
            for part in parts:
                yield Make(position, Part(self.order[paced], image, rows, part), block)
            if cut and block >= pinned:
                yield Forget(position, block)
        yield from map(Drop, windows)

    def _drops(
        self, image: int, strip: Strip, low: tuple[int, ...] | None, columns: tuple[Range, ...]
    ) -> Iterator[Drop]:
        """Drop the rows that no later strip needs."""
        for local in range(len(self.segment.tensors)):
            if self._is_whole(local) or local in self.stream.direct:
                continue
            end = strip.new[local][1]
            end = end if low is None else min(low[local], end)
            if end > 0 and columns[local][0] < columns[local][1]:
                yield Drop(Part(self.order[local], image, (0, end), columns[local]))
