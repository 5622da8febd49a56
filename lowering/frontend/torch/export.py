"""Modules with block ops as ONNX files."""

from __future__ import annotations

from ast import literal_eval
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import nn

from ..onnx.blocks.editing import free_name
from ..onnx.blocks.functions import add_functions
from .ops import DOMAIN

_SCOPES = "pkg.torch.onnx.name_scopes"
"""The key under which PyTorch keeps the modules that a node comes from, outermost first."""


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
    `torch.onnx.export`. With `dynamo` such a node has its module's name. The state of the module is
    left as it was, and is not part of the file: a session of it begins anew.
    """
    was_training = module.training
    if not dynamo:
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
        told = [p.value for p in node.metadata_props if p.key == _SCOPES]
        scopes = literal_eval(told[0]) if told and node.domain == DOMAIN else []
        if scopes[1:-1]:
            node.name = free_name(scopes[-2], taken)
            taken.add(node.name)
