"""The support of an op on its page: what it becomes level by level, and the kernels that run it."""

from collections.abc import Iterable, Iterator

from core_ops import graph_of
from core_reference import links
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp import CORE_OF
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.ops.copies import CopyOp, CopyWaitOp, StartOp
from htp_mlir.dialects.htp.ops.movement import ReshapeOp
from htp_mlir.dialects.htp.ops.state import StateReadOp, StateWriteOp
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.lowering.levels import bodies, mnemonic
from htp_mlir.lowering.passes.lower import Lower, lower_module
from htp_mlir.runtime.kernel.kernel import Cost, Kernel
from htp_mlir.runtime.kernels import NATIVE
from htp_mlir.runtime.tensors.tensor_classes import CLASSES
from xdsl.context import Context

_KEYS = {class_: key for key, class_ in CLASSES.items()}


def levels_of_example(example: str, ctx: Context) -> Iterator[tuple[str, str]]:
    """Yield each level and what the example of a graph op is there, lowered on its own."""
    yield "graph", "runs"
    module = graph_of(example, ctx)
    try:
        lower_module(ctx, module, Lower())
    except HtpError as error:
        yield "native", f"refused: {error.faults[0].line()}"
        return
    kinds = (NativeOp, StateReadOp, StateWriteOp)
    lowered = [op for block in bodies(module) for op in block.ops if isinstance(op, kinds)]
    ops = [op for op in lowered if not isinstance(op, (ReshapeOp, CopyOp))]
    yield "native", links(dict.fromkeys(map(mnemonic, ops))) or "a view"
    kernels = [op for op in ops if isinstance(op, NativeOp) and op.kernel is not None]
    results = [(mnemonic(op), spec_of(op.results[0])) for op in kernels]
    places = (f"{name} {spec.layout.value} {spec.memory.value}" for name, spec in results)
    yield "placed", ", ".join(dict.fromkeys(places)) or "a view"
    names = (f"{mnemonic(op)} by `{op.kernel.data}`" for op in kernels if op.kernel is not None)
    yield "allocated", ", ".join(dict.fromkeys(names)) or "a view"


def levels_of(op: type[NativeOp]) -> str:
    """Name the levels at which a native op stands."""
    if op.mnemonic() in CORE_OF:
        return "native, until a rule gives it its core form"
    if issubclass(op, (StartOp, CopyWaitOp)):
        return "allocated"
    return "placed, allocated" if issubclass(op, CopyOp) else "native, placed, allocated"


def kernels_of(op: type[NativeOp]) -> Iterator[str]:
    """Say which tensors the kernels of an op give, those of one name on one line."""
    families: dict[tuple[str, str], list[Kernel]] = {}
    for kernel in NATIVE.kernels(op.name):
        cost = kernel.cost.name if isinstance(kernel.cost, Cost) else "a cost by size"
        families.setdefault((kernel.name.partition(".")[0], cost), []).append(kernel)
    for (name, cost), kernels in families.items():
        yield f"`{name}` ({cost}): {_results(kernels)}"


def _results(kernels: Iterable[Kernel]) -> str:
    slots = [kernel.outputs[0] for kernel in kernels]
    keys = [_KEYS.get(class_) for slot in slots for class_ in (slot.takes, *slot.also)]
    if None in keys:
        return "any tensor"
    dtypes = dict.fromkeys(key.dtype.name for key in keys if key)
    places = dict.fromkeys(f"{key.layout.value} {key.memory.value}" for key in keys if key)
    return f"{', '.join(dtypes)}; {', '.join(places)}"
