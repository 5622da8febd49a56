"""Sizes that a model states: symbolic dims get one, and none is too large for ONNX's own tools."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from math import prod

from onnx import (
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    TensorShapeProto,
    ValueInfoProto,
    helper,
)

from .....dialects.diagnostics import Fault, HtpError, listed
from .....dialects.value.limits import MAX_TENSOR_BYTES
from ....importers.support.attributes import graphs_of, nodes_inside
from .nodes import op_of, where


def fix_dims(
    model: ModelProto, dims: Mapping[str, int], stated: Container[str] = frozenset()
) -> None:
    """Write sizes for symbolic dims into the model's inputs and outputs.

    A dim with a name goes by it; one without goes by `input:axis`. One of the size 0 keeps it
    unless another is given: exporters write 0 for no elements, and some for no size. Shapes in
    between are dropped, as they follow again from the inputs; but those of the values in `stated`
    do not and stay. HtpError lists every dim without a size.
    """
    inputs = real_inputs(model.graph)
    faults = [*_option_faults(inputs, dims), *_fix(inputs, dims)]
    if faults:
        raise HtpError(*faults)
    kept = [value for value in model.graph.value_info if value.name in stated]
    for output in (*model.graph.output, *kept):
        _settle(output, dims)
    del model.graph.value_info[:]
    model.graph.value_info.extend(kept)


def real_inputs(graph: GraphProto) -> list[ValueInfoProto]:
    """Return the inputs that have no initializer of their name."""
    constants = {tensor.name for tensor in graph.initializer}
    return [value for value in graph.input if value.name not in constants]


def _open_dims(value: ValueInfoProto) -> Iterator[tuple[str, TensorShapeProto.Dimension]]:
    for axis, dim in enumerate(value.type.tensor_type.shape.dim):
        if dim.dim_param or not dim.HasField("dim_value") or dim.dim_value < 1:
            yield dim.dim_param or f"{value.name}:{axis}", dim


def _option_faults(inputs: list[ValueInfoProto], dims: Mapping[str, int]) -> Iterator[Fault]:
    known = dict.fromkeys(name for value in inputs for name, _ in _open_dims(value))
    for name, size in dims.items():
        if name not in known:
            symbolic = listed(name, known, "symbolic are:")
            yield Fault(f"dim '{name}'", "is no dim of the model", symbolic)
        if size < 1:
            yield Fault(f"dim '{name}'", f"cannot have the size {size}", "give a size >= 1")


def _fix(inputs: list[ValueInfoProto], dims: Mapping[str, int]) -> Iterator[Fault]:
    unfixed: dict[str, list[str]] = {}
    for value in inputs:
        for name, dim in list(_open_dims(value)):
            if name in dims:
                dim.dim_value = dims[name]
            elif dim.dim_param or not dim.HasField("dim_value") or dim.dim_value < 0:
                unfixed.setdefault(name, []).append(value.name)
    for name, values in unfixed.items():
        of = ", ".join(f"'{value}'" for value in dict.fromkeys(values))
        remedy = f"fix it: htp-opt --dim {name}=1, or dims={{'{name}': 1}}"
        yield Fault(f"dim '{name}' of input {of}", "has no size", remedy)


def _settle(output: ValueInfoProto, dims: Mapping[str, int]) -> None:
    """Fix the named dims of an output; clear the others, which are inferred."""
    for dim in output.type.tensor_type.shape.dim:
        if dim.dim_param in dims:
            dim.dim_value = dims[dim.dim_param]
        elif dim.dim_param or dim.dim_value < 1:
            dim.Clear()


_TERM = rb"[A-Za-z]*(\.{3}[A-Za-z]*)?"
_EQUATION = re.compile(rb"%b(,%b)*(->%b)?" % (_TERM, _TERM, _TERM))

MAX_SHAPE = 2**16
"""Numbers of one value that ONNX's shape inference keeps, in about 400 bytes each."""

Counts = Mapping[str, int]

_ADDRESSED = f"at most {MAX_TENSOR_BYTES} can be addressed"


def check_sizes(graph: GraphProto) -> None:
    """Refuse tensors that cannot be addressed, and nodes that keep shape inference busy; HtpError.

    That are divisions into many parts, joins of shapes that grow from node to node, and equations
    that are not terms with commas and an arrow between.
    """
    nodes = list(nodes_inside(graph.node))
    graphs = [graph, *(g for node in nodes for a in node.attribute for g in graphs_of(a))]
    faults = [fault for one in graphs for fault in _value_faults(one)]
    faults += [*_split_faults(nodes), *_equation_faults(nodes), *_shape_faults(graph, {})]
    if faults:
        raise HtpError(*faults)


def _value_faults(graph: GraphProto) -> Iterator[Fault]:
    for kind, values in (("input", graph.input), ("value", graph.value_info)):
        for value in values:
            type_ = value.type.tensor_type
            dims = [dim.dim_value for dim in type_.shape.dim]
            yield from _too_large(f"{kind} '{value.name}'", dims, type_.elem_type)
    for tensor in graph.initializer:
        yield from _too_large(f"initializer '{tensor.name}'", tensor.dims, tensor.data_type)


def _too_large(named: str, dims: Sequence[int], element: int) -> Iterator[Fault]:
    """Yield a fault where the dims that are numbers make too many bytes."""
    known = element in TensorProto.DataType.values() and element != TensorProto.UNDEFINED
    size = int(helper.tensor_dtype_to_np_dtype(element).itemsize) if known else 1
    count = size * prod(dim for dim in dims if dim > 0)
    if count > MAX_TENSOR_BYTES:
        yield Fault(named, f"takes {count} bytes", _ADDRESSED)


def _split_faults(nodes: Iterable[NodeProto]) -> Iterator[Fault]:
    for node in nodes:
        if op_of(node) != ("", "Split"):
            continue
        for attribute in node.attribute:
            if attribute.name == "num_outputs" and attribute.i != len(node.output):
                problem = f"attribute 'num_outputs' is {attribute.i}, it has {len(node.output)}"
                yield Fault(where(node), problem, "export the model again")


def _equation_faults(nodes: Iterable[NodeProto]) -> Iterator[Fault]:
    for node in nodes:
        if op_of(node) != ("", "Einsum"):
            continue
        for attribute in node.attribute:
            # Inference leaves out spaces, too, and never ends at most other signs.
            equation = attribute.s.replace(b" ", b"")
            if attribute.name == "equation" and not _EQUATION.fullmatch(equation):
                problem = f"attribute 'equation' is {attribute.s!r}"
                yield Fault(where(node), problem, "write letters, commas, '...' and '->'")


def _shape_faults(graph: GraphProto, outer: Counts) -> Iterator[Fault]:
    """Follow how many numbers each computed shape has, along the ops that inference follows."""
    own = {tensor.name: prod(tensor.dims) for tensor in graph.initializer if _is_shape(tensor)}
    counts = {**outer, **own}
    for node in graph.node:
        for inside in (each for attribute in node.attribute for each in graphs_of(attribute)):
            yield from _shape_faults(inside, counts)
        domain, op = op_of(node)
        count = _COUNTS[op](node, counts) if not domain and op in _COUNTS else 0
        if count > MAX_SHAPE:
            problem = f"joins integers that shapes may follow from, {count} of them"
            yield Fault(where(node), problem, f"at most {MAX_SHAPE} are taken")
            return
        counts |= dict.fromkeys(node.output, count)


def _is_shape(tensor: TensorProto) -> bool:
    return tensor.data_type in (TensorProto.INT64, TensorProto.INT32) and len(tensor.dims) == 1


def _constant(node: NodeProto, counts: Counts) -> int:
    integers = (prod(a.t.dims) if _is_shape(a.t) else len(a.ints) for a in node.attribute)
    return max(integers, default=0)


def _most(node: NodeProto, counts: Counts) -> int:
    return max((counts.get(name, 0) for name in node.input), default=0)


def _sum(node: NodeProto, counts: Counts) -> int:
    return sum(counts.get(name, 0) for name in node.input)


_COUNTS: dict[str, Callable[[NodeProto, Counts], int]] = {
    "Shape": lambda node, counts: 1,
    "Constant": _constant,
    "Concat": _sum,
    **dict.fromkeys(("Identity", "Cast", "Add", "Sub", "Mul", "Div", "Gather", "Slice"), _most),
    **dict.fromkeys(("Squeeze", "Unsqueeze", "Where", "Min", "Max", "Mod", "Neg"), _most),
}
"""The ops whose numbers shape inference keeps, and how many they give; the rest give none."""
