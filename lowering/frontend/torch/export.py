"""Modules with block ops as ONNX files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import onnx
import torch
from torch import nn

from ..onnx.blocks.functions import add_functions
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
    `torch.onnx.export`. The state of the module is left as it was, and is no part of the file: a
    session of it begins anew.
    """
    was_training = module.training
    if not dynamo:
        options["custom_opsets"] = {DOMAIN: 1, **options.get("custom_opsets", {})}
    torch.onnx.export(module.eval(), args, str(path), dynamo=dynamo, **options)
    module.train(was_training)
    model = onnx.load(str(path), load_external_data=False)
    add_functions(model)
    onnx.save(model, str(path))
