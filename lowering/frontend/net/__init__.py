"""The graph that the converter wrote for the device, as graph IR."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr

from ....dialects.attributes import WEIGHTS
from ....dialects.diagnostics import HtpError, fail
from ....dialects.faults.arguments import CONSTANTS, CONTEXT, DIMS, PATH, arguments
from ....dialects.faults.op_faults import grouped

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .file import Net
    from .importer import PartialNet

__all__ = ["load_net", "load_partly"]


@arguments(path=PATH, dims=DIMS, constants=CONSTANTS, ctx=CONTEXT)
def load_net(
    path: str | Path,
    *,
    dims: Mapping[str, int] | None = None,
    constants: Mapping[str, ArrayLike] | None = None,
    ctx: Context | None = None,
) -> ModuleOp:
    """Return the graph-level module of the converter's graph in a JSON file.

    Nodes of other packages become their ops, which lowering asks the packages of `ctx` for. The
    weights are in the archive beside the file. Without one they are random, and the module says so:
    it lowers, and runs only where `runtime.program.preparation.random_weights` is set. Raises
    HtpError with every fault of the graph, and for `dims` and `constants`: it has none open.
    """
    for flag, named in (("--dim", dims), ("--const", constants)):
        if named:
            problem = f"'{next(iter(named))}' is given, and the converter's graph has all fixed"
            raise fail(flag, problem, "leave it out")
    _, partial = load_partly(path)
    if partial.faults:
        raise HtpError(*grouped(partial.faults.values()))
    partial.module.verify()
    return partial.module


def load_partly(path: str | Path) -> tuple[Net, PartialNet]:
    """Return the graph in a file, and what can be imported of it with the faults by node."""
    from .file import NetRole, archive_beside, random_data, read_archive, read_net
    from .importer import import_partly

    net = read_net(path)
    static = {name: each for name, each in net.tensors.items() if each.role is NetRole.STATIC}
    data = {name: each.data for name, each in static.items() if each.data is not None}
    rest = {name: each.spec for name, each in static.items() if name not in data}
    archive = archive_beside(Path(path), net.weights) if rest else None
    if archive:
        data |= read_archive(archive, rest)
    else:
        data |= random_data(rest, str(path))
    partial = import_partly(net, data, Path(path).stem)
    if rest and not archive:
        partial.module.attributes[WEIGHTS] = StringAttr(Path(path).name)
    return net, partial
