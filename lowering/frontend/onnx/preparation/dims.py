"""Symbolic dims of a model's inputs: every one gets a size, or the error lists them all."""

from collections.abc import Container, Iterator, Mapping

from onnx import GraphProto, ModelProto, TensorShapeProto, ValueInfoProto

from .....dialects.diagnostics import Fault, HtpError
from .....dialects.suggestions import listed


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
