"""`--explain-kernels`: which kernel was taken, its cost, and why each other one was not."""

import re

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.tools import htp
from htp_mlir.runtime import Cost, KernelSet, Session, parse_module, standard_library
from htp_mlir.runtime.kernel.library import KernelRegistry, Library
from htp_mlir.runtime.tensors.tensor_classes import (
    PlainFloatTensor,
    PlainFloatTensor_TCM,
    QuantInt8Tensor,
    QuantUint8Tensor,
)
from htp_mlir.runtime.tensors.tensors import Tensor
from htp_mlir.runtime.tools.choices import KernelChoice, kernel_choices

TEXT = """
func.func @main(%x: tensor<1x1x1x4xf32> {htp.name = "x"})
    -> (tensor<1x1x1x4xf32> {htp.name = "y"}) {
  %0 = htp.Reshape(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %1 = htp.Neg(%0) KERNEL : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  %2 = htp.Reshape(%1) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
  func.return %2 : tensor<1x1x1x4xf32>
}
"""
KERNELS = KernelSet()


@KERNELS.kernel("Neg")
def slow(out: Tensor, in_: Tensor) -> None:
    out.store(-in_.load())


@KERNELS.kernel("Neg", cost=lambda outputs, operands: 7.5)
def priced(out: PlainFloatTensor, in_: PlainFloatTensor) -> None:
    out.store(-in_.load())


@KERNELS.kernel("Neg", cost=lambda outputs, operands: 7.5)
def later(out: PlainFloatTensor, in_: PlainFloatTensor) -> None:
    out.store(-in_.load())


@KERNELS.kernel("Neg", cost=Cost.FREE, name="typed")
def in_tcm(out: PlainFloatTensor_TCM, in_: PlainFloatTensor_TCM) -> None:
    out.store(-in_.load())


@KERNELS.kernel("Neg", cost=Cost.FREE, name="typed.other")
def stored(out: QuantUint8Tensor, in_: QuantInt8Tensor) -> None:
    out.store(in_.load())


def choice(kernel: str = "", registry: KernelRegistry | None = None) -> KernelChoice:
    text = TEXT.replace("KERNEL", f'{{kernel = "{kernel}"}}' if kernel else "")
    (only,) = kernel_choices(parse_module(text), registry or KernelRegistry([KERNELS]))
    return only


MISFITS = (
    "  typed: does not fit, takes PlainFloatTensor_TCM as 'out', it is PlainFloatTensor, "
    "and for 1 further sets of classes likewise"
)


def test_the_cheapest_is_taken_and_the_others_say_why_not() -> None:
    chosen = choice()
    assert chosen.taken == "priced"
    assert [(v.kernel, v.cost) for v in chosen.verdicts] == [
        ("slow", 1e12),
        ("priced", 7.5),
        ("later", 7.5),
        ("typed", None),
        ("typed.other", None),
    ]
    assert chosen.lines() == [
        "<text>:5:3: htp.Neg (op 1): priced, the cheapest that fits, cost 7.5",
        "  slow: fits, cost GLACIAL",
        "  later: fits, cost 7.5 too, and is declared later",
        MISFITS,
    ]


def test_a_kernel_that_the_ir_names_is_told_as_such() -> None:
    assert choice("slow").lines()[:2] == [
        "<text>:5:3: htp.Neg (op 1): slow, the IR names it, cost GLACIAL",
        "  priced: fits, cost 7.5",
    ]
    assert choice("priced").lines() == choice().lines()


def test_where_nothing_fits_every_kernel_says_why() -> None:
    only = KernelSet()
    only.kernel("Neg", name="typed")(in_tcm)
    chosen = choice(registry=KernelRegistry([only]))
    assert chosen.taken is None
    assert chosen.lines() == [
        "<text>:5:3: htp.Neg (op 1): no kernel takes it",
        "  typed: does not fit, takes PlainFloatTensor_TCM as 'out', it is PlainFloatTensor",
    ]


def test_they_are_printed_to_stderr() -> None:
    text = TEXT.replace("KERNEL", "")
    silent, told = (
        htp.run(["lower", "-p", "", *more], text) for more in ([], ["--explain-kernels"])
    )
    assert (silent.status, silent.err) == (0, "")
    assert (told.status, told.out) == (0, silent.out)
    first, *others = told.err.splitlines()
    taken = standard_library().kernels
    assert re.fullmatch(
        r"<?stdin>?:5:3: htp\.Neg \(op 1\): \S+, the cheapest that fits, cost \w+", first
    )
    assert any("reference" in line or "neg" in line.lower() for line in others)
    assert len(taken.kernels("htp.Neg")) > len(others) > 0


def test_an_op_without_any_kernel_shows_the_three_lines_that_help() -> None:
    library = Library(KernelRegistry([]), {}, {})
    with pytest.raises(HtpError) as caught:
        Session(parse_module(TEXT.replace("KERNEL", "")), library=library)
    shown = str(caught.value).splitlines()
    assert shown[0] == "<text>:5:3: htp.Neg (op 1): no kernel exists for this op"
    assert [line.strip() for line in shown[1:6]] == [
        "load the package that has one, or write a kernel",
        "from htp_mlir.runtime import KernelSet, ShapeParam, Tensor",
        'KERNELS = KernelSet("htp")',
        '@KERNELS.kernel("Neg")',
        "def reference(out: Tensor, in0: Tensor) -> None: out.store(...)",
    ]


def test_the_three_lines_are_a_kernel() -> None:
    kernels = KernelSet("htp")

    @kernels.kernel("Neg")
    def reference(out: Tensor, in0: Tensor) -> None:
        out.store(-in0.load())

    session = Session(
        parse_module(TEXT.replace("KERNEL", "")), library=Library(KernelRegistry([kernels]), {}, {})
    )
    result = session.run({"x": np.ones((1, 1, 1, 4), np.float32)})["y"]
    assert result is not None
    assert result.tolist() == [[[[-1.0] * 4]]]


def test_a_kernel_of_the_ir_that_does_not_fit_is_told() -> None:
    shown = choice("typed").lines()[0]
    assert shown.endswith("typed, the IR names it, but it does not take these tensors")


def test_ops_that_only_say_where_a_tensor_lies_have_no_choice() -> None:
    flat, in_tcm = "tensor<1x1x1x4xf32>", "tensor<1x1x1x4xf32, #htp.place<flat, tcm>>"
    text = f"""
func.func @main(%x: {flat}) -> {flat} {{
  %0 = htp.Reshape(%x) : ({flat}) -> {flat}
  %1 = htp.flat_to_vtcm.start(%0) : ({flat}) -> {in_tcm}
  %2 = htp.CopyWait(%1) : ({in_tcm}) -> {in_tcm}
  %start = htp.Shape : !htp.shape<0x0x0x0>
  %size = htp.Shape : !htp.shape<1x1x1x4>
  %3 = htp.Slice_shape(%2, %start, %size) {{in_place}} :
      ({in_tcm}, !htp.shape<0x0x0x0>, !htp.shape<1x1x1x4>) -> {in_tcm}
  %4 = htp.flat_from_vtcm(%3) : ({in_tcm}) -> {flat}
  %5 = htp.Reshape(%4) : ({flat}) -> {flat}
  return %5 : {flat}
}}"""
    choices = kernel_choices(parse_module(text), standard_library().kernels)
    assert [each.op.split()[1] for each in choices] == [
        "htp.flat_to_vtcm.start",
        "htp.flat_from_vtcm",
    ]
