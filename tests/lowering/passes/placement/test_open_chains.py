"""Which tensors between ops that rules placed are open."""

import pytest
from htp_mlir.dialects.attributes import BY_HAND
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.lowering.levels import bodies
from htp_mlir.lowering.packages import Packages, from_cpp
from htp_mlir.lowering.packages.def_package import CppPackage, KernelSignature
from htp_mlir.lowering.passes.placement.absorb_copies import goes_directly, mark_chains
from htp_mlir.runtime import parse_module
from xdsl.dialects.builtin import ModuleOp

BEFORE = "htp.by_hand = [#htp.place<crouton, tcm>, unit]"
BEHIND = "htp.by_hand = [unit, #htp.place<crouton, tcm>]"
BOTH = "htp.by_hand = [#htp.place<crouton, tcm>, #htp.place<crouton, tcm>]"
T = "tensor<1x8x8x32xf32>"


def chain(*attributes: str) -> ModuleOp:
    """A chain of package ops with these attributes, marked."""
    package = from_cpp(CppPackage("P", kernels=(KernelSignature("X", "x"),)))
    lines = [
        f"  %{index + 1} = P.X(%{index}) {{{attribute}}} : ({T}) -> {T}"
        for index, attribute in enumerate(attributes)
    ]
    text = [
        f"func.func @main(%x: {T}) -> {T} {{",
        f"  %0 = htp.Reshape(%x) : ({T}) -> {T}",
        *lines,
        f"  %y = htp.Reshape(%{len(lines)}) : ({T}) -> {T}",
        f"  func.return %y : {T}",
        "}",
    ]
    module = parse_module("\n".join(text), ctx=Packages().extended(package).context())
    for block in bodies(module):
        mark_chains(block)
    return module


@pytest.mark.parametrize(
    ("attributes", "marked", "direct"),
    [
        ((BEFORE, "", BEHIND), [True, True, True], [True, True, False]),
        ((BEFORE, "", "", BEHIND), [True] * 4, [True, True, True, False]),
        ((BEFORE, BEHIND), [True, True], [True, False]),
        ((BEFORE, "", ""), [True, False, False], [False, False, False]),
        (("", "", BEHIND), [False, False, True], [False, False, False]),
        ((BOTH, "", BEHIND), [True, False, True], [False, False, False]),
    ],
)
def test_a_chain_between_ops_placed_by_rules(
    attributes: tuple[str, ...], marked: list[bool], direct: list[bool]
) -> None:
    ops = [op for op in chain(*attributes).walk() if op.name == "P.X"]
    assert [BY_HAND in op.attributes for op in ops] == marked
    assert [goes_directly(op.results[0]) for op in ops if isinstance(op, NativeOp)] == direct
