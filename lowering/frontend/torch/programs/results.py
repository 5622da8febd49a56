"""The results of a program: their names, and the numbers among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from onnx import ModelProto
from onnx.helper import make_node, np_dtype_to_tensor_dtype
from onnx.numpy_helper import from_array
from torch import fx
from torch.export import ExportedProgram
from torch.export.graph_signature import OutputKind
from torch.utils import _pytree as pytree
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...graph.function import names_attr
from ...onnx.blocks.editing import free_name
from .freezing import is_tensor
from .sizes import Sizes
from .tensors import array_of

Results = Sequence[tuple[str, Any]]
"""The node or the number of each result by its name; None is left out."""


def results_of(program: ExportedProgram, sizes: Sizes) -> Results:
    """Return the results of a program: each is a node of a tensor, or a number."""
    specs, nodes = program.graph_signature.output_specs, program.graph.output_node().args[0]
    users: list[Any] = [
        node if is_tensor(node) or not isinstance(node, fx.Node) else sizes.number(node.meta["val"])
        for spec, node in zip(specs, nodes, strict=True)
        if spec.kind is OutputKind.USER_OUTPUT
    ]
    named = zip(_names(program.call_spec.out_spec, users), users, strict=True)
    return [(name, value) for name, value in named if value is not None]


def _names(structure: Any, outputs: Sequence[object]) -> list[str]:
    """Name each result: by its keys where dicts hold it, else by the node that makes it.

    A name that is taken gets a number.
    """
    tree = pytree.tree_unflatten(list(range(len(outputs))), structure)
    leaves, _ = pytree.tree_flatten_with_path(tree)
    names: dict[str, None] = {}
    for (path, _leaf), output in zip(leaves, outputs, strict=True):
        name = ".".join(str(getattr(key, "key", getattr(key, "idx", key))) for key in path)
        if not any(isinstance(key, pytree.MappingKey) for key in path):
            name = output.name if isinstance(output, fx.Node) else f"output_{len(names)}"
        tries = (name if n == 0 else f"{name}_{n}" for n in range(len(outputs) + 1))
        names[next(each for each in tries if each not in names)] = None
    return list(names)


def state_results(model: ModelProto, results: Results) -> None:
    """Give a model of the exporter, which has the tensors alone, all results in their order.

    Each has a name of its own there, whatever else has the result's name.
    """
    graph = model.graph
    tensors = iter([(value.name, value.type) for value in graph.output])
    del graph.output[:]
    taken = {name for node in graph.node for name in node.output}
    taken |= {value.name for value in (*graph.input, *graph.initializer)}
    for name, value in results:
        taken.add(result := free_name(name, taken))
        output = graph.output.add(name=result)
        if isinstance(value, fx.Node):
            source, type_ = next(tensors)
            graph.value_info.add(name=source, type=type_)
            output.type.CopyFrom(type_)
        else:
            array = array_of(torch.tensor(value))
            taken.add(source := free_name(f"{name}.number", taken))
            graph.initializer.append(from_array(array, source))
            output.type.tensor_type.elem_type = np_dtype_to_tensor_dtype(array.dtype)
            output.type.tensor_type.shape.SetInParent()
        graph.node.append(make_node("Identity", [source], [result]))


def name_results(module: ModuleOp, results: Results) -> None:
    """Name the results of the function of a module as those of its program."""
    for op in module.ops:
        if isinstance(op, FuncOp):
            op.res_attrs = names_attr([name for name, _ in results])
