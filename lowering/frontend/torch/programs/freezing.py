"""An exported program with its sizes put in, and tensors alone as its results.

PyTorch's ONNX exporter takes no number as a result, and spells symbolic sizes out as ops. Both end
here: inputs get their shapes, numbers among them become arguments of the nodes that read them. All
that follows from sizes is computed when the exporter traces the program again.

ATen's own quantised tensors become stored integers, which ONNX and the exporter know:
`quantize_per_tensor(x, scale, zero, quint8)` and `dequantize` become the ops of
`quantized_decomposed` that PyTorch's quantisation writes, with the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, fx
from torch.ao.quantization.fx import _decomposed
from torch.export import ExportedProgram
from torch.export.graph_signature import ConstantArgument, ExportGraphSignature, OutputKind
from torch.utils import _pytree as pytree

from .sizes import Sizes

_INTEGERS = {torch.quint8: torch.uint8, torch.qint8: torch.int8, torch.qint32: torch.int32}
_OPS = _decomposed.quantized_decomposed_lib and torch.ops.quantized_decomposed
_PAIRS: dict[Any, tuple[Any, Any]] = {
    torch.ops.aten.quantize_per_tensor.default: (
        _OPS.quantize_per_tensor.default,
        _OPS.dequantize_per_tensor.default,
    ),
    torch.ops.aten.quantize_per_channel.default: (
        _OPS.quantize_per_channel.default,
        _OPS.dequantize_per_channel.default,
    ),
}
"""The ops there and back by ATen's op."""


def _store_quantised(graph: fx.Graph) -> None:
    """Put stored integers in place of quantised tensors that are dequantised again."""
    for node in graph.find_nodes(op="call_function", target=torch.ops.aten.dequantize.self):
        source = node.args[0]
        if source.target in _PAIRS:
            _, back = _PAIRS[source.target]
            node.target, node.args = back, (source, *_encoding(source))
    for op, (there, _) in _PAIRS.items():
        for node in graph.find_nodes(op="call_function", target=op):
            node.args = (node.args[0], *_encoding(node))
            node.target = there


def _encoding(node: fx.Node) -> tuple[Any, ...]:
    """Return scale, zero point, axis where there is one, range and dtype of a quantised node."""
    *encoding, dtype = node.args[1:]
    integers = _INTEGERS[dtype]
    ends = torch.iinfo(integers)
    return (*encoding, ends.min, ends.max, integers)


def frozen(program: ExportedProgram, sizes: Sizes) -> ExportedProgram:
    """Return a copy of a program of static shapes whose results are its tensors, each by itself."""
    graph, copies = fx.Graph(), dict[fx.Node, fx.Node]()
    graph.graph_copy(program.graph, copies)
    for node, copy in copies.items():
        # The graph itself would give `input` another name, as Python has a function of that name.
        copy.name, copy.meta = node.name, dict(node.meta)
    signature = program.graph_signature
    inputs = list(signature.input_specs)
    for place, node in enumerate(graph.find_nodes(op="placeholder")):
        value = node.meta.get("val")
        if isinstance(value, Tensor):
            node.meta["val"] = _static(value, sizes)
        elif value is not None and (number := sizes.number(value)) is not value:
            node.meta["val"] = number
            inputs[place] = replace(inputs[place], arg=ConstantArgument(node.name, number))
            _put_in(node, number)
    _store_quantised(graph)
    results = zip(signature.output_specs, program.graph.output_node().args[0], strict=True)
    kept = [(spec, copies[node]) for spec, node in results if is_tensor(node)]
    graph.output(tuple(node for _, node in kept)).meta = dict(program.graph.output_node().meta)
    specs = [spec for spec, _ in kept]
    return ExportedProgram(
        root=fx.GraphModule(program.graph_module, graph),
        graph=graph,
        graph_signature=ExportGraphSignature(inputs, specs),
        state_dict=program.state_dict,
        range_constraints={},
        module_call_graph=[_call(program, specs), *program.module_call_graph[1:]],
        constants=program.constants,
        verifiers=program.verifiers,
    )


def is_tensor(node: object) -> bool:
    """Tell whether a result of a program is a tensor, not a number or None."""
    return isinstance(node, fx.Node) and isinstance(node.meta.get("val"), Tensor)


def _static(tensor: Any, sizes: Sizes) -> Tensor:
    with tensor.fake_mode:
        return torch.empty(sizes.shape(tensor), dtype=tensor.dtype)


def _put_in(node: fx.Node, number: float) -> None:
    """Put a number in place of the node that represents it."""
    for user in list(node.users):
        args, kwargs = (
            fx.map_arg(part, lambda each: number if each is node else each)
            for part in (user.args, user.kwargs)
        )
        user.args, user.kwargs = args, kwargs


def _call(program: ExportedProgram, specs: Sequence[Any]) -> Any:
    """Return the signature of the program's own call with these results."""
    entry = program.module_call_graph[0]
    users = [spec.arg for spec in specs if spec.kind is OutputKind.USER_OUTPUT]
    structure = pytree.tree_structure((0,) * len(users))
    return replace(entry, signature=replace(entry.signature, outputs=users, out_spec=structure))
