"""The checking mode: each fault is found at its op, and legal programs are clean."""

from itertools import combinations

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.runtime.kernel.declare import KernelSet
from htp_mlir.runtime.kernel.kernel import BoundCall, Cost
from htp_mlir.runtime.kernel.library import KernelRegistry, Library
from htp_mlir.runtime.session.session import Session
from htp_mlir.runtime.tensors.tensor_classes import (
    FloatCroutonTensor_TCM,
    PlainFloatTensor,
    PlainFloatTensor_TCM,
)
from htp_mlir.runtime.tensors.tensors import Tensor
from htp_mlir.runtime.tools.loading import parse_module
from hypothesis import given
from hypothesis import strategies as st

X = np.arange(1, 513, dtype=np.float32).reshape(1, 1, 16, 32)
KERNELS = KernelSet()
kernel = KERNELS.kernel


@kernel("flat_to_vtcm", cost=Cost.FAST)
def to_tcm(out: PlainFloatTensor_TCM, a: PlainFloatTensor) -> None:
    np.copyto(out.array, a.array)


@kernel("flat_from_vtcm", cost=Cost.FAST)
def from_tcm(out: PlainFloatTensor, a: PlainFloatTensor_TCM) -> None:
    np.copyto(out.array, a.array)


@kernel("Relocate", cost=Cost.FAST)
def moves(out: PlainFloatTensor_TCM, a: PlainFloatTensor_TCM) -> None:
    np.copyto(out.array, a.array)


@kernel("Relocate", name="careless")
def moves_front_to_back(out: PlainFloatTensor_TCM, a: PlainFloatTensor_TCM) -> None:
    for to, of in zip(out.array.reshape(-1, 32), a.array.reshape(-1, 32), strict=True):
        np.copyto(to, of)


@kernel("Add", cost=Cost.FAST)
def add(out: PlainFloatTensor_TCM, a: PlainFloatTensor_TCM, b: PlainFloatTensor_TCM) -> None:
    np.add(a.array, b.array, out=out.array)


STRAYS: list[Tensor] = []


@kernel("Add", name="keeps")
def keeps_its_operand(out: PlainFloatTensor_TCM, a: Tensor, b: Tensor) -> None:
    np.add(a.array, b.array, out=out.array)
    STRAYS.append(out)


@kernel("Add", name="strays")
def writes_a_tensor_of_another_op(out: PlainFloatTensor_TCM, a: Tensor, b: Tensor) -> None:
    np.add(a.array, b.array, out=out.array)
    STRAYS.pop().array[0, 0, 0, 0] = 0


@kernel("Relu", cost=Cost.FAST)
def relu(out: PlainFloatTensor, a: PlainFloatTensor) -> None:
    np.maximum(a.array, 0, out=out.array)


@kernel("Relu", name="forgetful")
def forgets_the_last_element(out: Tensor, a: Tensor) -> None:
    out.array.reshape(-1)[:-1] = a.array.reshape(-1)[:-1]


@kernel("Relu", name="greedy")
def writes_its_operand(out: Tensor, a: Tensor) -> None:
    np.copyto(out.array, a.array)
    a.array.reshape(-1)[0] += 1


@kernel("Relu", name="accumulating")
def adds_to_what_was_there(out: PlainFloatTensor, a: PlainFloatTensor) -> None:
    np.add(out.array, a.array, out=out.array)


@kernel("Relu", name="bound")
def fills_at_binding(out: PlainFloatTensor, a: PlainFloatTensor) -> BoundCall:
    out.array.fill(0)

    def run() -> None:
        out.array.reshape(-1)[1:] = a.array.reshape(-1)[1:]

    return run


@kernel("Relu", name="makes_poison")
def gives_the_poison_as_a_value(out: PlainFloatTensor, a: PlainFloatTensor) -> None:
    np.maximum(a.array, 0, out=out.array)
    out.array.view(np.uint32).reshape(-1)[0] = 0xFFFFFFFF


@kernel("ReduceSum", name="leaky")
def sums_the_padding(out: PlainFloatTensor, a: FloatCroutonTensor_TCM, axes: Tensor) -> None:
    out.array[...] = a.blocks.sum()


@kernel("ReduceSum", name="tight")
def sums_the_elements(out: PlainFloatTensor, a: FloatCroutonTensor_TCM, axes: Tensor) -> None:
    out.array[...] = a.stored().sum()


LIBRARY = Library(KernelRegistry([KERNELS]), {}, {})


def session(text: str) -> Session:
    return Session(parse_module(text), check=True, library=LIBRARY)


def in_ddr(kernel_name: str) -> str:
    return f"""
func.func @main(%x: tensor<1x1x16x32xf32> {{htp.name = "x"}})
    -> (tensor<1x1x16x32xf32> {{htp.name = "y"}}) {{
  %0 = htp.Reshape(%x) : (tensor<1x1x16x32xf32>) -> tensor<1x1x16x32xf32>
  %1 = htp.Relu(%0) {{kernel = "{kernel_name}"}}
      : (tensor<1x1x16x32xf32>) -> tensor<1x1x16x32xf32>
  %2 = htp.Reshape(%1) : (tensor<1x1x16x32xf32>) -> tensor<1x1x16x32xf32>
  return %2 : tensor<1x1x16x32xf32>
}}
"""


def allocated(a: int, b: int, c: int, tcm_bytes: int = 65536) -> str:
    def tcm(offset: int) -> str:
        return f"tensor<1x1x16x32xf32, #htp.place<flat, tcm, {offset}>>"

    flat = "tensor<1x1x16x32xf32, #htp.place<flat, ddr>>"
    return f"""
module attributes {{htp.tcm_bytes = {tcm_bytes} : i64}} {{
func.func @main(%x: tensor<1x1x16x32xf32> {{htp.name = "x"}})
    -> (tensor<1x1x16x32xf32> {{htp.name = "y"}}) {{
  %0 = htp.Reshape(%x) : (tensor<1x1x16x32xf32>) -> {flat}
  %1 = htp.flat_to_vtcm(%0) : ({flat}) -> {tcm(a)}
  %2 = htp.Add(%1, %1) : ({tcm(a)}, {tcm(a)}) -> {tcm(b)}
  %3 = htp.Add(%1, %2) : ({tcm(a)}, {tcm(b)}) -> {tcm(c)}
  %4 = htp.flat_from_vtcm(%3) : ({tcm(c)}) -> {flat}
  %5 = htp.Reshape(%4) : ({flat}) -> tensor<1x1x16x32xf32>
  return %5 : tensor<1x1x16x32xf32>
}}
}}
"""


@pytest.mark.parametrize("offsets", [(0, 2048, 4096), (4096, 0, 2048)])
def test_a_legal_allocation_is_clean(offsets: tuple[int, int, int]) -> None:
    checked = session(allocated(*offsets))
    for scale in (1, -2):
        np.testing.assert_array_equal(checked.run({"x": scale * X})["y"], scale * 3 * X)


@pytest.mark.parametrize("check", [False, True])
def test_tensors_that_overlap_in_time_and_address_are_both_named(check: bool) -> None:
    with pytest.raises(HtpError) as caught:
        Session(parse_module(allocated(0, 2048, 3072)), check=check, library=LIBRARY)
    assert str(caught.value).splitlines()[0] == (
        "htp.Add at <text>:8:3 (op 3): lies on htp.Add at <text>:7:3 (op 2), which is still to be "
        "read: TCM bytes 3072 to 4096"
    )


def test_writing_over_an_operand_is_an_overlap() -> None:
    message = r"htp.Add at \S+ \(op 3\): lies on htp.flat_to_vtcm at \S+ \(op 1\)"
    with pytest.raises(HtpError, match=message):
        session(allocated(0, 2048, 0))


def one_op(op: str, at: int, to: int, read: str = "%2") -> str:
    """An op on %1 at an offset, whose result lies at another one, and what leaves TCM behind it."""
    here, there = (f"tensor<1x1x16x32xf32, #htp.place<flat, tcm, {n}>>" for n in (at, to))
    flat = "tensor<1x1x16x32xf32, #htp.place<flat, ddr>>"
    operands = ", ".join([here] * op.count("%1"))
    return f"""
module attributes {{htp.tcm_bytes = 8192 : i64}} {{
func.func @main(%x: tensor<1x1x16x32xf32> {{htp.name = "x"}})
    -> (tensor<1x1x16x32xf32> {{htp.name = "y"}}) {{
  %0 = htp.Reshape(%x) : (tensor<1x1x16x32xf32>) -> {flat}
  %1 = htp.flat_to_vtcm(%0) : ({flat}) -> {here}
  %2 = htp.{op} : ({operands}) -> {there}
  %3 = htp.flat_from_vtcm({read}) : ({here if read == "%1" else there}) -> {flat}
  %4 = htp.Reshape(%3) : ({flat}) -> tensor<1x1x16x32xf32>
  return %4 : tensor<1x1x16x32xf32>
}}
}}
"""


def slid(to: int, kernel_name: str, read: str = "%2") -> str:
    move = f'Relocate(%1) {{kernel = "{kernel_name}", reason = ""}}'
    return one_op(move, 1024, to, read)


@pytest.mark.parametrize("to", [0, 512, 1024, 2048, 4096])
def test_what_is_moved_within_tcm_may_slide_onto_its_own_bytes(to: int) -> None:
    checked = session(slid(to, "moves"))
    for scale in (1, -2):
        np.testing.assert_array_equal(checked.run({"x": scale * X})["y"], scale * X)


def test_a_move_that_loses_bytes_is_found_at_the_next_read() -> None:
    assert (session(slid(0, "careless")).run({"x": X})["y"] == X).all()
    with pytest.raises(HtpError, match=r"reads the result of htp.Relocate .* have changed"):
        session(slid(2048, "careless")).run({"x": X})


def test_what_is_read_behind_its_move_may_not_be_slid_onto() -> None:
    session(slid(4096, "moves", "%1"))
    with pytest.raises(HtpError, match=r"htp.Relocate at \S+ \(op 2\): lies on htp.flat_to_vtcm"):
        session(slid(2048, "moves", "%1"))


DOUBLED = "Add(%1, %1) {overwrites = 0 : i64}"


def test_an_op_may_write_onto_what_nothing_reads_behind_it() -> None:
    checked = session(one_op(DOUBLED, 0, 0))
    for scale in (1, -2):
        np.testing.assert_array_equal(checked.run({"x": scale * X})["y"], 2 * scale * X)


def test_what_is_read_later_may_not_be_overwritten() -> None:
    with pytest.raises(HtpError, match=r"htp.Add at \S+ \(op 2\): lies on htp.flat_to_vtcm"):
        session(one_op(DOUBLED, 0, 0, "%1"))


@given(st.tuples(*[st.integers(0, 6).map(lambda kilobytes: kilobytes * 1024)] * 3))
def test_an_allocation_is_refused_or_right(offsets: tuple[int, int, int]) -> None:
    try:
        session = Session(parse_module(allocated(*offsets)), library=LIBRARY)
    except HtpError:
        assert min(abs(a - b) for a, b in combinations(offsets, 2)) < X.nbytes
    else:
        np.testing.assert_array_equal(session.run({"x": X})["y"], 3 * X)


@pytest.mark.parametrize("check", [False, True])
def test_a_tensor_outside_the_declared_tcm_is_refused(check: bool) -> None:
    module = parse_module(allocated(0, 2048, 4096, tcm_bytes=6000))
    with pytest.raises(HtpError, match=r"op 3\): lies at bytes 4096 to 6144, the tcm has 6000"):
        Session(module, check=check, library=LIBRARY)


@pytest.mark.parametrize("offset", [2**63 - 1, 10**20])
def test_an_offset_that_no_memory_has_is_refused(offset: int) -> None:
    text = allocated(0, 2048, offset).replace("htp.tcm_bytes", "htp.no_size")
    with pytest.raises(HtpError, match=r"tcm: the module takes \d+ bytes of it"):
        Session(parse_module(text), library=LIBRARY)


@pytest.mark.parametrize("size", ["-1 : i64", "1.0 : f32", '"8 MiB"'])
def test_a_size_of_tcm_that_is_no_number_of_bytes_is_refused(size: str) -> None:
    text = allocated(0, 2048, 4096, tcm_bytes=6000)
    module = parse_module(text.replace("htp.tcm_bytes = 6000 : i64", f"htp.tcm_bytes = {size}"))
    with pytest.raises(HtpError, match=r"module: attribute htp.tcm_bytes is .*, no number of"):
        Session(module, library=LIBRARY)


@pytest.mark.parametrize("name", ["forgetful", "bound"])
def test_a_kernel_that_leaves_elements_unwritten_is_named(name: str) -> None:
    with pytest.raises(HtpError, match=r"htp.Relu \(op 1\): leaves elements of result 0 unwritten"):
        session(in_ddr(name)).run({"x": X})


def test_a_kernel_that_writes_its_operand_is_named() -> None:
    message = r"htp.Relu \(op 1\): changes its operand, the result of input 'x'"
    with pytest.raises(HtpError, match=message):
        session(in_ddr("greedy")).run({"x": X})


def test_a_write_to_a_tensor_of_another_op_is_found_at_the_next_read() -> None:
    flat = "tensor<1x1x16x32xf32, #htp.place<flat, tcm>>"
    text = f"""
func.func @main(%x: tensor<1x1x16x32xf32> {{htp.name = "x"}})
    -> (tensor<1x1x16x32xf32> {{htp.name = "y"}}) {{
  %0 = htp.Reshape(%x) : (tensor<1x1x16x32xf32>) -> tensor<1x1x16x32xf32>
  %1 = htp.flat_to_vtcm(%0) : (tensor<1x1x16x32xf32>) -> {flat}
  %2 = htp.Add(%1, %1) {{kernel = "keeps"}} : ({flat}, {flat}) -> {flat}
  %3 = htp.Add(%1, %1) {{kernel = "strays"}} : ({flat}, {flat}) -> {flat}
  %4 = htp.Add(%2, %3) : ({flat}, {flat}) -> {flat}
  %5 = htp.flat_from_vtcm(%4) : ({flat}) -> tensor<1x1x16x32xf32>
  %6 = htp.Reshape(%5) : (tensor<1x1x16x32xf32>) -> tensor<1x1x16x32xf32>
  return %6 : tensor<1x1x16x32xf32>
}}
"""
    message = r"htp.Add \(op 4\): reads the result of htp.Add at <text>:6:3 \(op 2\), whose"
    with pytest.raises(HtpError, match=message):
        session(text).run({"x": X})


def test_a_kernel_that_reads_its_own_result_is_named() -> None:
    with pytest.raises(HtpError, match=r"htp.Relu \(op 1\): result 0 holds poison"):
        session(in_ddr("accumulating")).run({"x": X})


def test_a_value_that_looks_like_poison_in_the_input_is_none() -> None:
    x = X.copy()
    x.view(np.uint32)[0, 0, 0, 0] = 0xFFFFFFFF
    out = session(in_ddr("relu")).run({"x": x})["y"]
    np.testing.assert_array_equal(out, x)


def test_small_integers_equal_to_the_poison_are_values() -> None:
    integers = in_ddr("any").replace("f32", "i8").replace(' {kernel = "any"}', "")
    kernels = KernelSet()

    @kernels.kernel("Relu")
    def relu_any(out: Tensor, a: Tensor) -> None:
        np.copyto(out.array, a.array)

    library = Library(KernelRegistry([kernels]), {}, {})
    x = np.full(X.shape, -1, np.int8)
    out = Session(parse_module(integers), check=True, library=library).run({"x": x})["y"]
    np.testing.assert_array_equal(out, x)


def reduction(kernel_name: str) -> str:
    crouton = "tensor<1x1x3x5xf32, #htp.place<crouton, tcm>>"
    return f"""
func.func @main(%x: tensor<1x1x3x5xf32> {{htp.name = "x"}})
    -> (tensor<1x1x1x1xf32> {{htp.name = "y"}}) {{
  %0 = "htp.Reshape"(%x) : (tensor<1x1x3x5xf32>) -> tensor<1x1x3x5xf32>
  %axes = htp.Const dense<[[[[0, 1, 2, 3]]]]> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4xi32>
  %1 = htp.Tanh(%0) : (tensor<1x1x3x5xf32>) -> {crouton}
  %2 = htp.ReduceSum(%1, %axes) {{kernel = "{kernel_name}"}}
      : ({crouton}, tensor<1x1x1x4xi32>) -> tensor<1x1x1x1xf32>
  %3 = htp.Reshape(%2) : (tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32>
  return %3 : tensor<1x1x1x1xf32>
}}
"""


@kernel("Tanh")
def packs(out: FloatCroutonTensor_TCM, a: PlainFloatTensor) -> None:
    out.pack_from(a.array)


def test_padding_that_leaks_into_a_result_is_named() -> None:
    x = np.ones((1, 1, 3, 5), np.float32)
    library = Library(KernelRegistry([KERNELS]), {}, {})
    leaky = Session(parse_module(reduction("leaky")), check=True, library=library)
    with pytest.raises(HtpError, match=r"htp.ReduceSum \(op 3\): result 0 holds poison"):
        leaky.run({"x": x})
    tight = Session(parse_module(reduction("tight")), check=True, library=library)
    assert tight.run({"x": x})["y"].item() == 15


RESHARED = """
func.func @main(%x: tensor<1x1x16x32xf32> {htp.name = "x"})
    -> (tensor<1x1x16x32xf32> {htp.name = "y"}) {
  %0 = htp.Reshape(%x) : (tensor<1x1x16x32xf32>)
      -> tensor<1x1x16x32xf32, #htp.place<flat, ddr>>
  %one = htp.Const dense<1.0> : tensor<1x1x16x32xf32>
      -> tensor<1x1x16x32xf32, #htp.place<flat, tcm, 0>>
  %1 = htp.flat_to_vtcm(%0) : (tensor<1x1x16x32xf32, #htp.place<flat, ddr>>)
      -> tensor<1x1x16x32xf32, #htp.place<flat, tcm, 2048>>
  %2 = htp.Add(%1, %one) : (tensor<1x1x16x32xf32, #htp.place<flat, tcm, 2048>>,
      tensor<1x1x16x32xf32, #htp.place<flat, tcm, 0>>)
      -> tensor<1x1x16x32xf32, #htp.place<flat, tcm, 4096>>
  %two = htp.Const dense<2.0> : tensor<1x1x16x32xf32>
      -> tensor<1x1x16x32xf32, #htp.place<flat, tcm, 0>>
  %3 = htp.Add(%2, %two) : (tensor<1x1x16x32xf32, #htp.place<flat, tcm, 4096>>,
      tensor<1x1x16x32xf32, #htp.place<flat, tcm, 0>>)
      -> tensor<1x1x16x32xf32, #htp.place<flat, tcm, 2048>>
  %4 = htp.flat_from_vtcm(%3) : (tensor<1x1x16x32xf32, #htp.place<flat, tcm, 2048>>)
      -> tensor<1x1x16x32xf32, #htp.place<flat, ddr>>
  %5 = htp.Reshape(%4) : (tensor<1x1x16x32xf32, #htp.place<flat, ddr>>)
      -> tensor<1x1x16x32xf32>
  return %5 : tensor<1x1x16x32xf32>
}
"""


@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("second", [0, 8192])
def test_constants_in_tcm_may_share_bytes_or_stay(check: bool, second: int) -> None:
    text = RESHARED.replace("tcm, 0", f"tcm, {second}", 2)
    shared = Session(parse_module(text), check=check, library=LIBRARY)
    for scale in (1, 2):
        np.testing.assert_array_equal(shared.run({"x": scale * X})["y"], scale * X + 3)
