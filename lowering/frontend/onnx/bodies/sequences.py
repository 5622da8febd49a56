"""Bodies of ops on sequences, whose elements are known, and on optionals. Source: ONNX spec."""

from onnx import NodeProto, TensorProto

from ....importers.support.attributes import key_of
from ....importers.support.registry import NodeFault, UnknownInput
from .body import Body, FunctionBuilder, Inner, Scope, joined

_MOST_PARTS = 2**13
"""Parts, at most, of a sequence that a node alone makes: each is values and nodes."""


def construct(node: NodeProto, scope: Scope) -> Body:
    """SequenceConstruct and SequenceEmpty: nothing is to be done, their users read them."""
    if key_of(node) in {value.name for value in scope.graph.output}:
        raise NodeFault("a sequence is an output of the model", "return its tensors one by one")
    raise UnknownInput


def split(node: NodeProto, scope: Scope) -> Body:
    """SplitToSequence, as Split."""
    builder, shape = FunctionBuilder(node, scope), scope.shape(node.input[0])
    numbers = {attribute.name: attribute.i for attribute in node.attribute}
    axis, sizes = numbers.get("axis", 0), scope.integers(node, 1, "split")
    if not -len(shape) <= axis < len(shape):
        raise NodeFault(f"attribute 'axis' is {axis}, the rank is {len(shape)}")
    keep, length = sizes is not None or bool(numbers.get("keepdims", 1)), shape[axis]
    if sizes is None or not scope.shape(node.input[1]):
        size = sizes[0] if sizes else 1
        if size < 1 or not length:
            raise NodeFault(f"its parts of length {length} and size {size} are empty")
        if length > _MOST_PARTS * size:
            raise NodeFault(f"makes {-(-length // size)} parts", f"at most {_MOST_PARTS} are taken")
        sizes = [min(size, length - start) for start in range(0, length, size)]
    parts = builder.outer(node.input[0]).parts(sizes, axis, keep=keep)
    return builder.body([_sequence(builder, parts)])


def at(node: NodeProto, scope: Scope) -> Body:
    """SequenceAt: the element."""
    builder, elements = FunctionBuilder(node, scope), _elements(node.input[0], scope)
    return builder.body([builder.outer(elements[_position(node, scope, 1, len(elements))])])


def length(node: NodeProto, scope: Scope) -> Body:
    """SequenceLength: a constant."""
    builder = FunctionBuilder(node, scope)
    return builder.body([builder.integer(len(_elements(node.input[0], scope)))])


def insert(node: NodeProto, scope: Scope) -> Body:
    """SequenceInsert: before the element at a position, else at the end."""
    builder, elements = FunctionBuilder(node, scope), _elements(node.input[0], scope)
    position = _position(node, scope, 2, len(elements) + 1, wraps=len(elements))
    elements.insert(position, node.input[1])
    return builder.body([_sequence(builder, [builder.outer(name) for name in elements])])


def erase(node: NodeProto, scope: Scope) -> Body:
    """SequenceErase: the element at a position, else the last."""
    builder, elements = FunctionBuilder(node, scope), _elements(node.input[0], scope)
    del elements[_position(node, scope, 1, len(elements))]
    return builder.body([_sequence(builder, [builder.outer(name) for name in elements])])


def concat(node: NodeProto, scope: Scope) -> Body:
    """ConcatFromSequence, as Concat."""
    builder, elements = FunctionBuilder(node, scope), _elements(node.input[0], scope)
    numbers = {attribute.name: attribute.i for attribute in node.attribute}
    if not elements:
        raise NodeFault("its sequence is empty", "take it out")
    parts = [builder.outer(name) for name in elements]
    new = bool(numbers.get("new_axis", 0))
    return builder.body([joined(parts, numbers.get("axis", 0), new=new)])


def _sequence(builder: FunctionBuilder, parts: list[Inner]) -> Inner:
    return builder.emit("SequenceConstruct" if parts else "SequenceEmpty", parts, 1, {})[0]


def _elements(name: str, scope: Scope) -> list[str]:
    """Return the tensors of a sequence; UnknownInput where its maker could not be resolved."""
    maker = scope.makers.get(name)
    if maker is None or maker.op_type not in ("SequenceConstruct", "SequenceEmpty", "Identity"):
        raise UnknownInput
    return _elements(maker.input[0], scope) if maker.op_type == "Identity" else [*maker.input]


def _position(
    node: NodeProto, scope: Scope, index: int, count: int, wraps: int | None = None
) -> int:
    """Return the position that an input says, the last of `count` where it is left out.

    Negative ones count from `wraps`, the length of the sequence.
    """
    number = scope.integer(node, index, "position")
    length = count if wraps is None else wraps
    position = count - 1 if number is None else number + (length if number < 0 else 0)
    if not 0 <= position < count:
        raise NodeFault(f"its position {position} is not in a sequence of {length}")
    return position


def wrap(node: NodeProto, scope: Scope) -> Body:
    """Optional: nothing is to be done, its users read it."""
    if key_of(node) in {value.name for value in scope.graph.output}:
        raise NodeFault("an optional is an output of the model", "return its tensor")
    raise UnknownInput


def has_element(node: NodeProto, scope: Scope) -> Body:
    """OptionalHasElement: a constant."""
    builder = FunctionBuilder(node, scope)
    there = builder.integer(_element(node, scope) is not None)
    return builder.body([there.cast(TensorProto.BOOL)])


def get_element(node: NodeProto, scope: Scope) -> Body:
    """OptionalGetElement: the tensor itself."""
    builder, element = FunctionBuilder(node, scope), _element(node, scope)
    if element is None:
        raise NodeFault("its optional holds nothing", "take it out")
    return builder.body([builder.outer(element)])


def _element(node: NodeProto, scope: Scope) -> str | None:
    """Return the tensor of an optional, None where there is none.

    UnknownInput where nothing is known of it, or it is an input, which has a fault of its own.
    """
    name = next(iter(node.input), "")
    if not name or name in scope.constants:
        return name or None
    maker = scope.makers.get(name)
    if maker is not None and maker.op_type == "Optional":
        return _element(maker, scope)
    type_ = scope.types.get(name)
    if type_ is not None and type_.HasField("tensor_type"):
        return name
    if type_ is None or maker is None:
        raise UnknownInput
    raise NodeFault(f"its optional '{name}' is not known", "export it for one of the cases")
