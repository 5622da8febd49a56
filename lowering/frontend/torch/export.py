"""Modules with block ops as ONNX files."""

from copy import deepcopy
from inspect import signature
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import Tensor, nn

from ..onnx.blocks.append import free_name
from ..onnx.blocks.functions import add_functions
from ..onnx.preparation.nodes import user_place
from .ops import DOMAIN


def export_onnx(
    module: nn.Module,
    args: tuple[Any, ...],
    path: str | Path,
    *,
    dynamo: bool = True,
    **options: Any,
) -> None:
    """Write a module as an ONNX file in which each block op is one node with its body.

    `dynamo` chooses between the exporters of PyTorch, and `options` are those of
    `torch.onnx.export`. With `dynamo` such a node has its module's name. Where the module returns a
    dictionary, its keys name the outputs, unless `output_names` does, and so do its arguments the
    inputs; an output whose name an input has gets a number. The state of the module is left as it
    was, and is not part of the file: a session of it begins anew.
    """
    was_training = module.training
    with torch.no_grad():
        result = deepcopy(module).eval()(*args, **options.get("kwargs") or {})
    inputs = [*signature(module.forward).parameters]
    if isinstance(result, dict) and all(isinstance(each, Tensor) for each in result.values()):
        taken = {*options.get("input_names", ()), *inputs}
        names = (free_name(name, taken | (result.keys() - {name})) for name in result)
        options.setdefault("output_names", list(names))
    if not dynamo:
        if all(isinstance(each, Tensor) for each in args):
            options.setdefault("input_names", inputs[: len(args)])
        options["custom_opsets"] = {DOMAIN: 1, **options.get("custom_opsets", {})}
    torch.onnx.export(module.eval(), args, str(path), dynamo=dynamo, **options)
    module.train(was_training)
    model = onnx.load(str(path), load_external_data=False)
    _name_blocks(model)
    add_functions(model)
    onnx.save(model, str(path))


def _name_blocks(model: onnx.ModelProto) -> None:
    """Name each block op after its module, where the exporter tells: `encoder.gru`."""
    taken = {node.name for node in model.graph.node}
    for node in model.graph.node:
        path = user_place(node).module
        if path and node.domain == DOMAIN:
            node.name = free_name(path, taken)
            taken.add(node.name)
