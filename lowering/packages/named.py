"""Native ops that rules of packages in use name and that have no class of their own.

One that computes what another op does has the kernels and the tensor properties of that. One that
is known by name only has a kernel that takes any tensors and refuses to run, after all others.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from ...dialects.diagnostics import fail
from ...dialects.htp import NATIVE_OPS, NativeOp
from ...dialects.htp.named import NamedOp, meaning_of, named_op, unknown_meaning
from ...runtime.kernel.kernel import Cost, Flag, Kernel
from ...runtime.kernel.library import KernelRegistry
from ...runtime.tensors.tensors import Tensor
from ..rules.graph.graph import DEFAULT_PACKAGE, TensorProperties
from .from_cpp import ParameterSlot
from .package import OpPackage

Named = Mapping[str, type[NativeOp]]
_NATIVE = f"{DEFAULT_PACKAGE}."


def named_natives(members: Iterable[OpPackage]) -> dict[str, type[NativeOp]]:
    """Return native ops without a class of their own that rules name, or that have a kernel."""
    loaded = list(members)
    named = (name for member in loaded for name in member.rules.ops)
    own = {kernel.op for member in loaded for kernel in member.kernels}
    names = (name for name in dict.fromkeys([*named, *sorted(own)]) if name.startswith(_NATIVE))
    mnemonics = ((name.removeprefix(_NATIVE), name in own) for name in names)
    ops = (named_op(*each) for each in mnemonics if each[0] not in NATIVE_OPS)
    return {op.name: op for op in ops if op is not None}


def named_kernels(ops: Named, kernels: KernelRegistry) -> list[Kernel]:
    """Return the kernels of ops that compute what other ops do, and of ops that nothing runs."""
    return [
        kernel
        for name, op in ops.items()
        for kernel in (
            [_unknown(name)]
            if issubclass(op, NamedOp)
            else [replace(kernel, op=name) for kernel in kernels.kernels(_same(op))]
        )
    ]


def _unknown(op: str) -> Kernel:
    return Kernel(
        op=op,
        name="unknown",
        function=partial(_refuse, op),
        outputs=(ParameterSlot("out", Tensor),),
        inputs=(ParameterSlot("values", Tensor),),
        variadic=True,
        binding=False,
        cost=Cost.GLACIAL,
        flags=Flag.RESOURCE_HVX | Flag.INHIBIT_CONST_PROP,
        lacks=unknown_meaning(op),
    )


def _refuse(op: str, *tensors: object) -> None:
    names = ", ".join(f"t{index}" for index in range(len(tensors)))
    lines = (
        "write a kernel in a package of your own, and load it too",
        "  from htp_mlir.runtime import KernelSet",
        f'  KERNELS = KernelSet("{DEFAULT_PACKAGE}")',
        f'  @KERNELS.kernel("{op.partition(".")[2]}")',
        f"  def run({names}): ...",
    )
    raise fail(op, f"the op {unknown_meaning(op)}", "\n".join(lines))


def named_properties(
    ops: Named, properties: Mapping[str, TensorProperties]
) -> dict[str, TensorProperties]:
    """Return the tensor properties of ops that compute what others do."""
    rows = {name: properties.get(_same(op)) for name, op in ops.items()}
    return {name: replace(row, op=name) for name, row in rows.items() if row is not None}


def _same(op: type[NativeOp]) -> str:
    return f"{_NATIVE}{meaning_of(op.mnemonic())}"
