"""Joins of blocks in DDR: what writes line by line writes them in place, with the same numbers."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp.in_place import is_in_place
from htp_mlir.lowering.levels import bodies
from htp_mlir.lowering.passes.placement.in_place import in_place
from htp_mlir.runtime.session.session import Session
from xdsl.dialects.builtin import ModuleOp

from ....support.roundtrip import parse

DDR, TCM = (f"#htp.place<flat, {memory}>" for memory in ("ddr", "tcm"))


def tensor(shape: str, place: str = DDR) -> str:
    return f"tensor<{shape}xf32, {place}>"


COLUMN, TURNED = "1x16x1x32", "1x1x16x32"
COPIES = (COLUMN, 2, "1x16x2x32")
TRANSPOSES = (TURNED, 3, "1x1x16x64")


def copied(name: str) -> str:
    """Relu in TCM, and the copy that brings its result back."""
    there, back = tensor(COLUMN, TCM), tensor(COLUMN)
    return f"""
  %in{name} = htp.flat_to_vtcm(%p{name}) : ({back}) -> {there}
  %relu{name} = htp.Relu(%in{name}) : ({there}) -> {there}
  %q{name} = htp.flat_from_vtcm(%relu{name}) : ({there}) -> {back}"""


def transposed(name: str) -> str:
    perm = f"tensor<1x1x1x4xi32, {DDR}>"
    operands = f"{tensor(COLUMN)}, {perm}"
    return f"""
  %perm{name} = htp.Const dense<[[[[0, 2, 1, 3]]]]> : tensor<1x1x1x4xi32> -> {perm}
  %q{name} = htp.Transpose(%p{name}, %perm{name}) : ({operands}) -> {tensor(TURNED)}"""


def plain(name: str) -> str:
    column = tensor(COLUMN)
    return f"\n  %q{name} = htp.Relu(%p{name}) : ({column}) -> {column}"


def columns(first: str, then: str, part: str, axis: int, whole: str) -> str:
    """A function that takes two columns of its input and joins what is made of them."""
    scalar, size = f"tensor<1x1x1x1xi32, {DDR}>", f"!htp.shape<{COLUMN}>"
    text = f"""func.func @main(%x: tensor<1x16x2x32xf32>) -> tensor<{whole}xf32> {{
  %0 = htp.Reshape(%x) : (tensor<1x16x2x32xf32>) -> {tensor("1x16x2x32")}
  %axis = htp.Const dense<{axis}> : tensor<1x1x1x1xi32> -> {scalar}
  %n = htp.Shape : {size}"""
    for at, maker in enumerate((first, then)):
        start = f"!htp.shape<0x0x{at}x0>"
        bounds = f"({tensor('1x16x2x32')}, {start}, {size})"
        text += f"""
  %s{at} = htp.Shape : {start}
  %p{at} = htp.Slice_shape(%0, %s{at}, %n) : {bounds} -> {tensor(COLUMN)}{maker}"""
    parts = f"{scalar}, {tensor(part)}, {tensor(part)}"
    return f"""{text}
  %r = htp.Concat(%axis, %q0, %q1) : ({parts}) -> {tensor(whole)}
  %y = htp.Reshape(%r) : ({tensor(whole)}) -> tensor<{whole}xf32>
  func.return %y : tensor<{whole}xf32>
}}"""


def joins_in_place(module: ModuleOp) -> int:
    ops = (op for block in bodies(module) for op in block.ops)
    return sum(op.name == "htp.Concat" and "in_place" in op.attributes for op in ops)


def outputs(module: ModuleOp) -> np.ndarray:
    data = np.random.default_rng(3).standard_normal((1, 16, 2, 32)).astype(np.float32)
    session = Session(module, check=True)
    session.run({"arg0": data})
    (out,) = session.run({"arg0": data + 1}).values()
    return out


def joined_in_place(text: str, joins: int = 1) -> ModuleOp:
    """Run the pass, which marks so many joins and leaves the numbers as they are."""
    module = parse(text)
    before = outputs(module)
    for block in bodies(module):
        in_place(block)
    module.verify()
    assert joins_in_place(module) == joins
    np.testing.assert_array_equal(outputs(module), before)
    return module


@pytest.mark.parametrize(
    "text",
    [
        columns(copied("0"), copied("1"), *COPIES),
        columns(transposed("0"), transposed("1"), *TRANSPOSES),
    ],
    ids=["copies", "transposes"],
)
def test_blocks_are_written_where_they_belong(text: str) -> None:
    joined_in_place(text)


@pytest.mark.parametrize(
    "text",
    [
        columns(copied("0"), plain("1"), *COPIES),
        columns(copied("0"), copied("1"), *COPIES).replace("%q0, %q1", "%q0, %q0"),
    ],
    ids=["another op makes one", "one is read twice"],
)
def test_other_blocks_are_copied_into_place(text: str) -> None:
    module = joined_in_place(text)
    *columns, copy = (o for b in bodies(module) for o in b.ops if o.name == "htp.Slice_shape")
    assert len(columns) == 2
    assert not is_in_place(copy)


def test_a_part_that_others_read_line_by_line_is_in_place() -> None:
    text = columns(copied("0"), copied("1"), *COPIES)
    column, row = tensor(COLUMN), tensor("1x1x1x32")
    bounds = f"({column}, !htp.shape<0x3x0x0>, !htp.shape<1x1x1x32>)"
    text = text.replace(
        "  %r =",
        f"""  %at = htp.Shape : !htp.shape<0x3x0x0>
  %one = htp.Shape : !htp.shape<1x1x1x32>
  %row = htp.Slice_shape(%q0, %at, %one) : {bounds} -> {row}
  %r =""",
    )
    text = text.replace("htp.Reshape(%r)", "htp.Reshape(%sum)").replace(
        "  %y =",
        "  %sum = htp.Add(%r, %row) : ({0}, {1}) -> {0}\n  %y =".format(tensor(COPIES[2]), row),
    )
    module = joined_in_place(text)
    *_, row_of_block = (o for b in bodies(module) for o in b.ops if o.name == "htp.Slice_shape")
    assert not is_in_place(row_of_block), "Add takes runs of bytes"


def test_a_run_of_a_block_is_copied() -> None:
    """Rows of a column are a run of its bytes, and not of those of the image that it is in."""
    column, rows, axis = tensor(COLUMN), tensor("1x8x1x32"), f"tensor<1x1x1x1xi32, {DDR}>"
    bounds = f"({column}, !htp.shape<0x8x0x0>, !htp.shape<1x8x1x32>)"
    relu = f"""
  %at = htp.Shape : !htp.shape<0x8x0x0>
  %eight = htp.Shape : !htp.shape<1x8x1x32>
  %rows = htp.Slice_shape(%p0, %at, %eight) : {bounds} -> {rows}
  %relu = htp.Relu(%rows) : ({rows}) -> {rows}
  %axis1 = htp.Const dense<1> : tensor<1x1x1x1xi32> -> {axis}
  %q0 = htp.Concat(%axis1, %relu, %relu) : ({axis}, {rows}, {rows}) -> {column}"""
    module = joined_in_place(columns(relu, copied("1"), *COPIES), joins=2)
    slices = [o for b in bodies(module) for o in b.ops if o.name == "htp.Slice_shape"]
    assert [is_in_place(op) for op in slices[:2]] == [True, False]


def test_a_join_in_place_of_what_takes_runs_of_bytes_is_refused() -> None:
    text = columns(copied("0"), plain("1"), *COPIES)
    module = parse(text.replace("(%axis, %q0, %q1)", "(%axis, %q0, %q1) {in_place}"))
    module.verify()
    with pytest.raises(HtpError, match=r"htp.Relu %q1 .*takes runs of bytes, but a tensor of it"):
        Session(module)


def test_sums_that_are_joined_in_tcm_are_not_in_place() -> None:
    """Ops that take all of the TCM may run between the two."""
    half, whole, mean = (tensor(shape, TCM) for shape in ("1x16x2x32", "1x1x1x64", "1x1x1x32"))
    axes, axis = (f"tensor<1x1x1x{n}xi32, {DDR}>" for n in (2, 1))
    module = parse(f"""func.func @main(%a: {half}, %b: {half}) -> {whole} {{
  %axes = htp.Const dense<[[[[1, 2]]]]> : tensor<1x1x1x2xi32> -> {axes}
  %axis = htp.Const dense<3> : tensor<1x1x1x1xi32> -> {axis}
  %0 = htp.ReduceMean(%a, %axes) : ({half}, {axes}) -> {mean}
  %1 = htp.ReduceMean(%b, %axes) : ({half}, {axes}) -> {mean}
  %2 = htp.Concat(%axis, %0, %1) : ({axis}, {mean}, {mean}) -> {whole}
  func.return %2 : {whole}
}}""")
    for block in bodies(module):
        in_place(block)
    assert joins_in_place(module) == 0
