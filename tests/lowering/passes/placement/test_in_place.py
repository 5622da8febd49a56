"""Slices and joins without copies: the same numbers, whichever parts can lie in place."""

import re

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.levels import bodies
from htp_mlir.lowering.passes.placement.in_place import in_place
from htp_mlir.lowering.passes.traffic import traffic
from htp_mlir.runtime.session.session import Session
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from ....support.roundtrip import parse

WHOLE = (1, 16, 2, 32)
DDR = "#htp.place<flat, ddr>"


def tensor(rows: int, place: str = DDR) -> str:
    return f"tensor<1x{rows}x2x32xf32, {place}>"


def joined(*parts: str, axis: int = 1) -> str:
    """A function that joins rows of its input by ops given as `name(start, rows)`."""
    lines: list[str] = []
    names: list[str] = []
    types: list[str] = []
    for index, part in enumerate(parts):
        maker, start, rows = re.split(r"[(, )]+", part.rstrip(")"))
        source, size = f"%s{index}", f"%n{index}"
        bounds = f"!htp.shape<0x{start}x0x0>, !htp.shape<1x{rows}x2x32>"
        lines += [
            f"{source} = htp.Shape : !htp.shape<0x{start}x0x0>",
            f"{size} = htp.Shape : !htp.shape<1x{rows}x2x32>",
            f"%p{index} = htp.Slice_shape(%0, {source}, {size}) : "
            f"({tensor(16)}, {bounds}) -> {tensor(int(rows))}",
        ]
        name = f"%p{index}"
        if maker != "Slice":
            lines.append(
                f"%q{index} = htp.{maker}({name}) : ({tensor(int(rows))}) -> {tensor(int(rows))}"
            )
            name = f"%q{index}"
        names.append(name)
        types.append(tensor(int(rows)))
    total = sum(int(re.split(r"[(, )]+", part.rstrip(")"))[2]) for part in parts)
    scalar = f"tensor<1x1x1x1xi32, {DDR}>"
    body = "\n".join(lines)
    return f"""
func.func @main(%x: tensor<1x16x2x32xf32>) -> tensor<1x{total}x2x32xf32> {{
  %0 = htp.Reshape(%x) : (tensor<1x16x2x32xf32>) -> {tensor(16)}
  %axis = htp.Const dense<{axis}> : tensor<1x1x1x1xi32> -> {scalar}
  {body}
  %r = htp.Concat(%axis, {", ".join(names)}) : ({scalar}, {", ".join(types)}) -> {tensor(total)}
  %y = htp.Reshape(%r) : ({tensor(total)}) -> tensor<1x{total}x2x32xf32>
  func.return %y : tensor<1x{total}x2x32xf32>
}}"""


def narrow() -> str:
    """Two parts of one column each, beside another column of the input."""
    text = joined("Relu(0, 4)", "Abs(4, 4)").replace("0x4x0x0", "0x4x1x0")
    return text.replace("1x4x2x32", "1x4x1x32").replace("1x8x2x32", "1x8x1x32")


def marked(module: ModuleOp) -> list[str]:
    """The ops that are in place, by name."""
    return [
        op.name.removeprefix("htp.")
        for block in bodies(module)
        for op in block.ops
        if "in_place" in op.attributes
    ]


def outputs(module: ModuleOp) -> np.ndarray:
    data = np.random.default_rng(3).standard_normal(WHOLE).astype(np.float32)
    session = Session(module, check=True)
    session.run({"arg0": data})
    (out,) = session.run({"arg0": data + 1}).values()
    return out


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("Relu(0, 9)", "Abs(9, 7)"), ["Slice_shape", "Slice_shape", "Concat"]),
        (("Relu(0, 1)", "Slice(3, 5)"), ["Slice_shape", "Concat"]),
        (("Slice(8, 8)", "Slice(0, 8)"), ["Concat"]),
    ],
)
def test_parts_are_read_and_written_where_they_belong(
    parts: tuple[str, ...], expected: list[str]
) -> None:
    module = parse(joined(*parts))
    before = outputs(module)
    for block in bodies(module):
        in_place(block)
    module.verify()
    assert marked(module) == expected
    np.testing.assert_array_equal(outputs(module), before)


def test_a_part_that_is_joined_twice_is_copied_once() -> None:
    text = joined("Relu(0, 4)", "Abs(4, 4)").replace("%q0, %q1", "%q0, %q0")
    module = parse(text)
    before = outputs(module)
    for block in bodies(module):
        in_place(block)
    module.verify()
    assert marked(module).count("Concat") == 1
    np.testing.assert_array_equal(outputs(module), before)


def test_what_lies_in_one_join_is_copied_into_the_next() -> None:
    text = joined("Relu(0, 4)", "Abs(4, 4)")
    (join,) = (line for line in text.splitlines() if "htp.Concat(" in line)
    again = join.replace("%r =", "%again =").replace("%q0, %q1", "%q1, %q0")
    both = f"%both = htp.Add(%r, %again) : ({tensor(8)}, {tensor(8)}) -> {tensor(8)}"
    text = text.replace("htp.Reshape(%r)", "htp.Reshape(%both)")
    module = parse(text.replace(join, f"{join}\n{again}\n{both}"))
    before = outputs(module)
    for block in bodies(module):
        in_place(block)
    module.verify()
    assert marked(module) == ["Slice_shape", "Slice_shape", "Concat"]
    np.testing.assert_array_equal(outputs(module), before)


VIEWED = f"""
func.func @main(%x: tensor<1x16x2x32xf32>) -> (tensor<1x64x32xf32>, tensor<1x16x2x32xf32>) {{
  %0 = htp.Reshape(%x) : (tensor<1x16x2x32xf32>) -> {tensor(16)}
  %axis = htp.Const dense<2> : tensor<1x1x1x1xi32> -> tensor<1x1x1x1xi32, {DDR}>
  %a = htp.Relu(%0) : ({tensor(16)}) -> {tensor(16)}
  %b = htp.Abs(%0) : ({tensor(16)}) -> {tensor(16)}
  %p = htp.Reshape(%a) : ({tensor(16)}) -> tensor<1x1x32x32xf32, {DDR}>
  %s = htp.Reshape(%b) : ({tensor(16)}) -> tensor<1x2x16x32xf32, {DDR}>
  %q = htp.Reshape(%s) : (tensor<1x2x16x32xf32, {DDR}>) -> tensor<1x1x32x32xf32, {DDR}>
  %r = htp.Concat(%axis, %p, %q) : (tensor<1x1x1x1xi32, {DDR}>, tensor<1x1x32x32xf32, {DDR}>,
       tensor<1x1x32x32xf32, {DDR}>) -> tensor<1x1x64x32xf32, {DDR}>
  %n = htp.Neg(%0) : ({tensor(16)}) -> {tensor(16)}
  %y = htp.Reshape(%r) : (tensor<1x1x64x32xf32, {DDR}>) -> tensor<1x64x32xf32>
  %z = htp.Reshape(%n) : ({tensor(16)}) -> tensor<1x16x2x32xf32>
  func.return %y, %z : tensor<1x64x32xf32>, tensor<1x16x2x32xf32>
}}"""
"""A join of views of two results, one of them a view of a view."""


@pytest.mark.parametrize(("read", "copies"), [("%0", 0), ("%a", 1), ("%b", 1)])
def test_parts_are_written_through_views(read: str, copies: int) -> None:
    """What others read, too, is copied into its place."""
    module = parse(VIEWED.replace("Neg(%0)", f"Neg({read})"))
    x = np.random.default_rng(3).standard_normal(WHOLE).astype(np.float32)
    before = Session(module, check=True).run({"arg0": x})
    for block in bodies(module):
        in_place(block)
    module.verify()
    assert marked(module) == ["Concat"]
    assert sum(op.name == "htp.Slice_shape" for op in module.walk()) == copies
    for name, array in Session(module, check=True).run({"arg0": x}).items():
        np.testing.assert_array_equal(array, before[name])


def test_what_is_no_run_of_bytes_is_copied() -> None:
    module = parse(narrow())
    for block in bodies(module):
        in_place(block)
    assert marked(module) == ["Concat"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("%q0, %q1)", "%q0, %q0) {in_place}", "has a part twice"),
        ("%q0, %q1)", "%q0, %q1) {in_place = 3 : i64}", "must be a unit"),
    ],
)
def test_the_verifier_refuses_what_cannot_be(old: str, new: str, message: str) -> None:
    text = narrow()
    assert old in text
    with pytest.raises(VerifyException, match=message):
        parse(text.replace(old, new))


U8, F16 = "!quant.uniform<u8:f32, 0.05:128>", "f16"


def column(op: str, result: str, params: str = "") -> str:
    """A function that takes one column of its input, and gives what an op makes of it."""
    part = "tensor<1x16x1x32xf32, " + DDR + ">"
    bounds = "!htp.shape<0x0x1x0>, !htp.shape<1x16x1x32>"
    types = f"{part}, tensor<1x1x1x4xi32, {DDR}>" if params else part
    back = "flat_from_vtcm" if "tcm" in result else "Dequantize" if U8 in result else "Cast"
    return f"""
func.func @main(%x: tensor<1x16x2x32xf32>) -> tensor<1x16x1x32xf32> {{
  %0 = htp.Reshape(%x) : (tensor<1x16x2x32xf32>) -> {tensor(16)}
  %start = htp.Shape : !htp.shape<0x0x1x0>
  %size = htp.Shape : !htp.shape<1x16x1x32>
  %perm = htp.Const dense<[[[[0, 1, 2, 3]]]]> : tensor<1x1x1x4xi32> -> tensor<1x1x1x4xi32, {DDR}>
  %part = htp.Slice_shape(%0, %start, %size) : ({tensor(16)}, {bounds}) -> {part}
  %1 = htp.{op}(%part{params}) : ({types}) -> {result}
  %2 = htp.{back}(%1) : ({result}) -> {part}
  %y = htp.Reshape(%2) : ({part}) -> tensor<1x16x1x32xf32>
  func.return %y : tensor<1x16x1x32xf32>
}}"""


@pytest.mark.parametrize(
    ("op", "result", "params"),
    [
        ("flat_to_vtcm", "tensor<1x16x1x32xf32, #htp.place<flat, tcm>>", ""),
        ("Quantize", f"tensor<1x16x1x32x{U8}, {DDR}>", ""),
        ("Cast", f"tensor<1x16x1x32x{F16}, {DDR}>", ""),
        ("Transpose", f"tensor<1x16x1x32xf32, {DDR}>", ", %perm"),
    ],
)
def test_a_block_is_read_in_place_line_by_line(op: str, result: str, params: str) -> None:
    module = parse(column(op, result, params))
    before, moved = outputs(module), traffic(module).bytes
    for block in bodies(module):
        in_place(block)
    module.verify()
    assert marked(module) == ["Slice_shape"]
    assert moved - traffic(module).bytes == 2 * 16 * 32 * 4
    np.testing.assert_array_equal(outputs(module), before)


def test_a_block_in_place_for_an_op_that_takes_runs_is_refused() -> None:
    text = narrow().replace("%s1, %n1)", "%s1, %n1) {in_place}")
    with pytest.raises(HtpError, match=r"htp.Abs .* takes runs of bytes"):
        Session(parse(text))


@pytest.mark.parametrize(("first", "expected"), [(8, ["Slice_shape", "Concat"]), (7, [])])
def test_rows_of_croutons_are_runs_only_where_chunks_end(first: int, expected: list[str]) -> None:
    crouton = "#htp.place<crouton, ddr>"
    text = joined(f"Relu(0, {first})", f"Slice({first}, 6)").replace(DDR, crouton)
    module = parse(text.replace(f"i32, {crouton}", f"i32, {DDR}"))
    for block in bodies(module):
        in_place(block)
    assert marked(module) == expected
