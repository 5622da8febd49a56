"""Small graphs for the reference planner, put together by hand."""

from ..benchmarks.reference.graph import Graph, Kind, Node, Operand, Reach, Tensor

WINDOW = Reach(1, 1, -1, 1)
"""A window of three with padding, stride 1."""
HALVED = Reach(2, 1, 0, 1)
"""A window of two, stride 2."""


def image(rows: int, columns: int, channels: int, boundary: bool = False) -> Tensor:
    """An f32 image in croutons."""
    return Tensor(rows, columns, channels, 4, has_croutons=True, is_boundary=boundary)


def chain(layers: int, rows: int = 64, columns: int = 16, channels: int = 32) -> Graph:
    """3x3 convolutions one behind the other."""
    ends = (0, layers)
    tensors = [image(rows, columns, channels, i in ends) for i in range(layers + 1)]
    operand = [(Operand(i, WINDOW, WINDOW),) for i in range(layers)]
    weights = 9 * channels * channels * 4
    nodes = [Node(Kind.PRODUCT, operand[i], i + 1, weights, 0, channels) for i in range(layers)]
    return Graph(tuple(tensors), tuple(nodes), (0,), (layers,))


def residual() -> Graph:
    """A convolution, a pointwise op on its result and the input, a pool."""
    tensors = (
        image(32, 16, 32, True),
        image(32, 16, 32),
        image(32, 16, 32),
        image(16, 8, 32, True),
    )
    nodes = (
        Node(Kind.PRODUCT, (Operand(0, WINDOW, WINDOW),), 1, 36_864, 128, 32),
        Node(Kind.POINTWISE, (Operand(0), Operand(1)), 2),
        Node(Kind.POINTWISE, (Operand(2, HALVED, HALVED),), 3),
    )
    return Graph(tensors, nodes, (0,), (3,))


def gated() -> Graph:
    """A mean over an image, and the image multiplied with it."""
    whole = Reach(whole=True)
    tensors = (image(64, 16, 32, True), image(64, 16, 32), image(1, 1, 32), image(64, 16, 32, True))
    nodes = (
        Node(Kind.PRODUCT, (Operand(0),), 1, 4096, 0, 32),
        Node(Kind.SUM, (Operand(1, whole, whole),), 2),
        Node(Kind.POINTWISE, (Operand(1), Operand(2, whole, whole)), 3),
    )
    return Graph(tensors, nodes, (0,), (3,))


def recurrent(steps: int = 8, width: int = 256) -> Graph:
    """A recurrence behind the product with its inputs."""
    sizes = ((width, True), (4 * width, False), (width, True))
    tensors = tuple(Tensor(steps, 1, n, 4, is_boundary=end) for n, end in sizes)
    weights = 4 * width * width * 4
    nodes = (
        Node(Kind.PRODUCT, (Operand(0),), 1, weights),
        Node(Kind.RECURRENCE, (Operand(1),), 2, weights),
    )
    return Graph(tensors, nodes, (0,), (2,))


def product(rows: int, depth: int, columns: int) -> Graph:
    """A matrix product with constant weights."""
    tensors = (
        Tensor(rows, 1, depth, 4, is_boundary=True),
        Tensor(rows, 1, columns, 4, is_boundary=True),
    )
    node = Node(Kind.PRODUCT, (Operand(0),), 1, depth * columns * 4, 0, depth)
    return Graph(tensors, (node,), (0,), (1,))


NETWORKS = {
    "chain": chain(3),
    "residual": residual(),
    "gated": gated(),
    "recurrent": recurrent(),
    "product": product(64, 256, 256),
}
