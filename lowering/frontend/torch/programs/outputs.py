"""Names for the results of a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch import fx
from torch.utils import _pytree as pytree


def output_names(structure: Any, outputs: Sequence[object]) -> list[str]:
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
