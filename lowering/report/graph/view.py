"""A function as a graph to draw: vertices with namespaces, edges, and facts about results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from ....dialects.spec_of import text
from ....dialects.value import TensorSpec


class Look(Enum):
    """The look of a vertex."""

    INPUT = "input"
    CONSTANT = "constant"
    DDR = "ddr"
    TCM = "tcm"
    OUTPUT = "output"


@dataclass(frozen=True)
class Output:
    """A result of a vertex: its type as text, and its spec where it is a tensor of ours."""

    type: str
    spec: TensorSpec | None = None

    @property
    def label(self) -> str:
        """Shape and dtype, and where the tensor is placed its layout and memory."""
        if self.spec is None:
            return self.type
        place = self.spec.place
        where = f", {place.layout.value} {place.memory.value}" if place else ""
        return f"{text(self.spec.shape)} {self.spec.dtype.name}{where}"

    def attrs(self) -> dict[str, str]:
        """Return the facts by name: bytes, and of a placed tensor layout, memory, offset."""
        if self.spec is None:
            return {"type": self.type}
        facts = {
            "shape": text(self.spec.shape),
            "dtype": self.spec.dtype.name,
            "bytes": str(self.spec.nbytes),
        }
        if self.spec.quant:
            facts["encoding"] = str(self.spec.quant)
        if place := self.spec.place:
            facts |= {"layout": place.layout.value, "memory": place.memory.value}
            if place.offset is not None:
                facts["offset"] = str(place.offset)
        return facts


@dataclass(frozen=True)
class Edge:
    """An operand: the vertex and the result that it reads, and the operand's name."""

    source: str
    output: int
    operand: str


@dataclass(frozen=True)
class Vertex:
    """An op, an input or an output; `namespace` are the clusters around it, the outermost first."""

    id: str
    label: str
    look: Look
    namespace: tuple[str, ...] = ()
    attrs: dict[str, str] = field(default_factory=dict)
    edges: tuple[Edge, ...] = ()
    outputs: tuple[Output, ...] = ()


@dataclass(frozen=True)
class GraphView:
    """The graph of one function, in the order of its ops."""

    name: str
    vertices: tuple[Vertex, ...]

    def output(self, edge: Edge) -> Output:
        """Return the result that an edge begins at."""
        return self._by_id[edge.source].outputs[edge.output]

    @property
    def edges(self) -> int:
        """The number of edges."""
        return sum(len(vertex.edges) for vertex in self.vertices)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_id", {vertex.id: vertex for vertex in self.vertices})

    _by_id: dict[str, Vertex] = field(init=False, repr=False, compare=False)


@dataclass
class Cluster:
    """Vertices of one namespace, and the clusters inside it."""

    name: str = ""
    vertices: list[Vertex] = field(default_factory=list)
    inner: dict[str, Cluster] = field(default_factory=dict)


def clusters(vertices: Sequence[Vertex]) -> Cluster:
    """Arrange vertices as a tree of their namespaces; the root is the function itself."""
    root = Cluster()
    for vertex in vertices:
        here = root
        for name in vertex.namespace:
            here = here.inner.setdefault(name, Cluster(name))
        here.vertices.append(vertex)
    return root
