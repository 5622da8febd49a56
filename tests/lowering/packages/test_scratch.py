"""Scratch of kernels through all levels: sized, placed, allocated, written down, run."""

import re

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import Memory
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import OpPackage, Packages, op_package
from htp_mlir.lowering.packages.packages import registered
from htp_mlir.lowering.passes.allocation.certificate import certificate
from htp_mlir.lowering.passes.allocation.select_kernels import select_kernels
from htp_mlir.lowering.passes.allocation.tcm import TCM_ALIGNMENT
from htp_mlir.lowering.patterns.conditions import exceeds
from htp_mlir.lowering.report.plan import BlockLook, plan_of, timeline_of
from htp_mlir.lowering.rules import (
    AUTOSPLIT,
    EARLY,
    EXTERNAL_CONSTRAINT,
    TILING,
    TYPICAL_SLICE,
    Op,
    rule,
)
from htp_mlir.runtime import Cost, KernelSet, Session, parse_module
from htp_mlir.runtime.kernel.kernel import ScratchHook
from htp_mlir.runtime.memory_plan import verify
from htp_mlir.runtime.tensors.tensor_classes import PlainFloatTensor, PlainFloatTensor_TCM
from xdsl.dialects.builtin import ModuleOp

from tests.support.faults import told

from ...support.roundtrip import assert_upstream_accepts, to_text
from .scratch_package import PACKAGE, Damp, damped

PACKAGES = Packages().extended(PACKAGE)
SHAPES = [(1, 8, 8, 32), (1, 3, 5, 7), (1, 1, 1, 1)]


def graph(shape: tuple[int, ...], ops: int = 1) -> ModuleOp:
    tensor = f"tensor<{'x'.join(map(str, shape))}xf32>"
    lines = [
        f"  %{index} = qti_aisw.Sigmoid(%{'x' if index == 0 else index - 1})"
        f" : ({tensor}) -> {tensor}"
        for index in range(ops)
    ]
    return parse_module(
        f'func.func @main(%x: {tensor} {{htp.name = "x"}}) -> ({tensor} {{htp.name = "y"}}) {{\n'
        + "\n".join(lines)
        + f"\n  func.return %{ops - 1} : {tensor}\n}}"
    )


def the_op(module: ModuleOp) -> Damp:
    (damp,) = (op for op in module.walk() if isinstance(op, Damp))
    return damp


@pytest.mark.parametrize("level", ["native", "placed", "allocated"])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_level_gives_the_numbers_of_the_formula(shape: tuple[int, ...], level: str) -> None:
    lowered = lower(graph(shape), packages=PACKAGES, level=level)
    session = Session(lowered, check=True, library=PACKAGES.library)
    for seed in range(2):
        x = np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
        np.testing.assert_array_equal(session.run({"x": x})["y"], damped(x))


def test_allocated_ir_says_where_the_scratch_lies_and_round_trips() -> None:
    lowered = lower(graph((1, 3, 5, 7)), packages=PACKAGES)
    for generic in (False, True):
        again = parse_module(to_text(lowered, generic), ctx=PACKAGES.context())
        assert again.is_structurally_equivalent(lowered)
    squares, sums = the_op(lowered).scratch_specs()
    assert (squares.shape, squares.memory) == ((1, 3, 5, 7), Memory.TCM)
    assert (sums.shape, sums.memory) == ((1, 3, 5, 1), Memory.DDR)


@pytest.mark.needs("mlir-opt")
def test_upstream_accepts_scratch() -> None:
    lowered = lower(graph((1, 3, 5, 7)), packages=PACKAGES)
    assert_upstream_accepts([to_text(lowered, generic=True)])


def test_scratch_stands_in_the_certificate_and_the_timeline() -> None:
    lowered = lower(graph((1, 3, 5, 7), ops=2), packages=PACKAGES, tcm_bytes=8192)
    rows = certificate(lowered)
    assert verify(rows, 8192, TCM_ALIGNMENT) == ()
    first, second = (row for row in rows if "scratch" in row.tensor)
    assert (first.bytes, first.first, first.reason) == (420, first.last, "scratch of its kernel")
    assert first.tensor.startswith("ScratchPkg.Damp@")
    assert first.last < second.first
    blocks = timeline_of(plan_of(lowered, PACKAGES)).blocks
    drawn = [block for block in blocks if block.look is BlockLook.SCRATCH]
    assert [(block.residency.bytes, block.first == block.last) for block in drawn] == [
        (420, True)
    ] * 2
    ours = [op for op in lowered.walk() if isinstance(op, Damp)]
    for op in ours:
        place = op.scratch_specs()[0].place
        (result,) = (spec_of(op.results[0]).place,)
        assert place is not None
        assert result is not None
        assert place.offset != result.offset


def test_what_does_not_fit_is_named_with_its_scratch() -> None:
    assert lower(graph((1, 8, 8, 32)), packages=PACKAGES, tcm_bytes=3 * 8192)
    with pytest.raises(HtpError) as caught:
        lower(graph((1, 8, 8, 32)), packages=PACKAGES, tcm_bytes=3 * 8192 - 2048)
    (text,) = [fault.problem for fault in caught.value.faults]
    assert "needs 24576 bytes of TCM, there are 22528" in text
    assert "'in' 8192, 'result 0' 8192, scratch 'squares' 8192" in text


@pytest.mark.parametrize("tensors", [3, 4, 5])
def test_a_small_tcm_spills_around_scratch(tensors: int) -> None:
    shape = (1, 8, 8, 32)
    text = """
func.func @main(%x: tensor<1x8x8x32xf32> {htp.name = "x"}) -> tensor<1x8x8x32xf32> {
  %0 = qti_aisw.Sigmoid(%x) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %1 = qti_aisw.Sigmoid(%0) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %2 = qti_aisw.Sigmoid(%1) : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %3 = qti_aisw.ElementWiseAdd(%0, %2)
    : (tensor<1x8x8x32xf32>, tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %3 : tensor<1x8x8x32xf32>
}"""
    lowered = lower(parse_module(text), packages=PACKAGES, tcm_bytes=tensors * 8192)
    assert verify(certificate(lowered), tensors * 8192, TCM_ALIGNMENT) == ()
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    once = damped(x)
    session = Session(lowered, check=True, library=PACKAGES.library)
    (result,) = session.run({"x": x}).values()
    np.testing.assert_array_equal(result, once + damped(damped(once)))


def changed(hook: ScratchHook | None) -> Packages:
    """The package with one kernel, for main memory and TCM, whose scratch is sized otherwise."""
    kernels = KernelSet("ScratchPkg")

    def run(out: PlainFloatTensor, in_: PlainFloatTensor, *, buffer: PlainFloatTensor_TCM) -> None:
        np.copyto(out.array, in_.array + buffer.array.size)

    def in_tcm(
        out: PlainFloatTensor_TCM, in_: PlainFloatTensor_TCM, *, buffer: PlainFloatTensor_TCM
    ) -> None:
        np.copyto(out.array, in_.array + buffer.array.size)

    for function in (run, in_tcm):
        kernels.kernel("Damp", cost=Cost.FAST, scratch=hook)(function)
    package = OpPackage(
        "ScratchPkg", PACKAGE.ops, tuple(kernels), PACKAGE.properties, (), PACKAGE.rules
    )
    return Packages().extended(package)


def test_without_a_hook_scratch_is_one_element() -> None:
    packages = changed(None)
    lowered = lower(graph((1, 1, 1, 4)), packages=packages)
    (scratch,) = the_op(lowered).scratch_specs()
    assert scratch.shape == (1, 1, 1, 1)
    session = Session(lowered, library=packages.library)
    result = session.run({"x": np.zeros((1, 1, 1, 4), np.float32)})["y"]
    np.testing.assert_array_equal(result, np.ones((1, 1, 1, 4), np.float32))


def broken(outputs: object, operands: object) -> dict[str, tuple[int, ...]]:
    raise KeyError("rows")


@pytest.mark.parametrize(
    ("hook", "message"),
    [
        (broken, "the scratch hook fails: KeyError: 'rows'"),
        (lambda o, i: None, "the scratch hook fails: TypeError"),
        (lambda o, i: {"rows": (1,)}, "sizes 'rows', which is no scratch\n  declared are buffer"),
        (lambda o, i: {"buffer": (1, 1, 2, 3, 4)}, "scratch 'buffer': the hook gives 5 dims"),
        (lambda o, i: {"buffer": 4}, "scratch 'buffer': the hook gives 4 as its shape"),
        (lambda o, i: {"buffer": "4"}, "scratch 'buffer': the hook gives '4' as its shape"),
        (lambda o, i: {"buffer": (2, -1)}, "the hook gives the dim -1"),
        (lambda o, i: {"buffer": (2.0,)}, "the hook gives the dim 2.0"),
        (lambda o, i: {"buffer": (True,)}, "the hook gives the dim True"),
        (lambda o, i: {"buffer": (2**30, 2**30)}, f"the hook asks for {2**60} elements"),
    ],
)
def test_a_hook_that_fails_or_misleads_is_named(hook: ScratchHook, message: str) -> None:
    packages = changed(hook)
    native = lower(graph((1, 1, 1, 4)), packages=packages, level="native")
    with pytest.raises(HtpError) as prepared:
        Session(native, library=packages.library)
    with pytest.raises(HtpError) as lowered:
        lower(graph((1, 1, 1, 4)), packages=packages)
    for error, kernel in ((prepared, "run"), (lowered, "in_tcm")):
        assert message in str(error.value)
        where = told(str(error.value))[0].partition(message)[0]
        assert re.search(rf"ScratchPkg\.Damp.*, kernel {kernel}", where)


def test_numpy_dims_and_0_are_dims() -> None:
    packages = changed(lambda outputs, operands: {"buffer": tuple(np.array([0, 3]))})
    (scratch,) = the_op(lower(graph((1, 1, 1, 4)), packages=packages)).scratch_specs()
    assert scratch.shape == (1, 1, 0, 3)


def test_ir_that_was_allocated_for_other_scratch_is_refused() -> None:
    lowered = lower(graph((1, 1, 1, 4)), packages=changed(None))
    packages = changed(lambda outputs, operands: {"buffer": (8,)})
    with pytest.raises(HtpError) as caught:
        Session(lowered, library=packages.library)
    wanted, stated = "1x1x1x8 PlainFloatTensor_TCM", "1x1x1x1 PlainFloatTensor_TCM"
    assert f"its kernel has the scratch {wanted}, the IR {stated}" in str(caught.value)
    with pytest.raises(HtpError, match="its scratch is that of kernel in_tcm, the cheapest is"):
        select_kernels(lowered, PACKAGES.kernels)


def test_scratch_outside_the_tcm_or_on_a_tensor_is_refused() -> None:
    lowered = lower(graph((1, 3, 5, 7)), packages=PACKAGES)
    text = to_text(lowered)
    (op,) = [line for line in text.splitlines() if "ScratchPkg.Damp(" in line]
    offset = op.partition("scratch = [tensor<1x3x5x7xf32, #htp.place<flat, tcm, ")[2]
    mine = f"scratch = [tensor<1x3x5x7xf32, #htp.place<flat, tcm, {offset.partition('>')[0]}"
    far = text.replace(mine, mine.rpartition(" ")[0] + f" {2**23}")
    with pytest.raises(HtpError, match=r"scratch 0 of ScratchPkg\.Damp.*lies at bytes 8388608 to"):
        Session(parse_module(far, ctx=PACKAGES.context()), library=PACKAGES.library)
    (result,) = (spec_of(the_op(lowered).results[0]).place,)
    assert result is not None
    same = text.replace(mine, mine.rpartition(" ")[0] + f" {result.offset}")
    module = parse_module(same, ctx=PACKAGES.context())
    assert len(verify(certificate(module), 2**23, TCM_ALIGNMENT)) == 1
    with pytest.raises(HtpError, match="lies on"):
        Session(module, check=True, library=PACKAGES.library)


def test_op_package_takes_kernels_with_scratch_as_any_other() -> None:
    again = op_package("ScratchPkg", ops=[Damp], kernels=[PACKAGE.kernels])
    assert [kernel.scratch[0].name for kernel in again.kernels] == ["squares", "squares"]


def test_look_ups_tell_of_scratch() -> None:
    (line,) = [line for line in registered(PACKAGES, "ScratchPkg.Damp").lines() if "_TCM(" in line]
    assert line.endswith(", scratch squares: PlainFloatTensor_TCM, scratch sums: PlainFloatTensor")


@pytest.mark.parametrize("priority", [EARLY + 1, TILING])
@pytest.mark.parametrize(("limit", "heights"), [(24575, [4, 4]), (24576, [8])])
def test_guards_of_tiling_count_scratch(limit: int, heights: list[int], priority: int) -> None:
    """The tensors of the op take 16384 bytes, its scratch 8192; of the TCM half is its share."""
    split = AUTOSPLIT(1, "I", 4, Op("Damp", TYPICAL_SLICE("X", "I")))
    tile = rule(priority, Op("Damp", "X"), EXTERNAL_CONSTRAINT(exceeds, "*", limit), split)
    tiled = op_package(
        "ScratchPkg",
        ops=[Damp],
        kernels=[PACKAGE.kernels],
        properties=PACKAGE.properties,
        rules=[PACKAGE.rules, tile],
    )
    packages = Packages().extended(tiled)
    lowered = lower(graph((1, 8, 8, 32)), packages=packages, tcm_bytes=2 * limit)
    parts = [spec_of(op.results[0]).shape[1] for op in lowered.walk() if isinstance(op, Damp)]
    assert parts == heights
    x = np.random.default_rng(0).standard_normal((1, 8, 8, 32)).astype(np.float32)
    session = Session(lowered, check=True, library=packages.library)
    np.testing.assert_array_equal(session.run({"x": x})["y"], damped(x))
