"""The borders between levels name the first op that does not belong."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering.levels import Level
from htp_mlir.lowering.passes.checks.check_level import CheckLevel, check_level
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...support.roundtrip import parse
from .kit import Model, lowered

FLAT, TCM = "#htp.place<flat, ddr>", "#htp.place<flat, tcm>"
T = "tensor<1x1x1x4xf32"


def main(*lines: str, inputs: str = "%x", result: str = "%y") -> ModuleOp:
    body = "\n".join(lines)
    return parse(f"""
      func.func @main({inputs}: {T}>) -> {T}> {{
        {body}
        func.return {result} : {T}>
      }}""")


def misfit(module: ModuleOp, level: Level) -> str:
    with pytest.raises(HtpError) as error:
        check_level(module, level)
    return error.value.lines()[0]


NATIVE = (
    f"%0 = htp.Reshape(%x) : ({T}>) -> {T}>",
    f"%1 = htp.Relu(%0) : ({T}>) -> {T}>",
    f"%y = htp.Reshape(%1) : ({T}>) -> {T}>",
)
PLACED = (
    f"%0 = htp.Reshape(%x) : ({T}>) -> {T}, {FLAT}>",
    f"%1 = htp.flat_to_vtcm(%0) : ({T}, {FLAT}>) -> {T}, {TCM}>",
    f"%2 = htp.Neg(%1) : ({T}, {TCM}>) -> {T}, {TCM}>",
    f"%3 = htp.flat_from_vtcm(%2) : ({T}, {TCM}>) -> {T}, {FLAT}>",
    f"%y = htp.Reshape(%3) : ({T}, {FLAT}>) -> {T}>",
)
GRAPH = (f"%y = qti_aisw.Relu(%x) : ({T}>) -> {T}>",)


def test_a_module_is_at_its_own_level_and_at_no_other() -> None:
    model = Model(1, 8, 2, 32)
    modules = {
        Level.GRAPH: main(*GRAPH),
        Level.NATIVE: main(*NATIVE),
        Level.PLACED: main(*PLACED),
        Level.ALLOCATED: lowered(model.module(model.op("Relu", model.x)), 1 << 20),
    }
    for level, module in modules.items():
        check_level(module, level)
        for other in Level:
            if other is not level:
                misfit(module, other)


def test_a_graph_op_left_below_the_graph_level() -> None:
    module = main(NATIVE[0], f"%1 = qti_aisw.Relu(%0) : ({T}>) -> {T}>", NATIVE[2])
    problem = misfit(module, Level.NATIVE)
    assert problem == "%1 = qti_aisw.Relu: does not belong to the native level: it is no native op"


def test_an_argument_goes_through_a_reshape() -> None:
    module = main(f"%1 = htp.Relu(%x) : ({T}>) -> {T}>", NATIVE[2])
    assert misfit(module, Level.NATIVE).endswith("it reads 'in' without a Reshape")


def test_a_result_goes_through_a_reshape() -> None:
    module = main(*NATIVE[:2], result="%1")
    assert misfit(module, Level.NATIVE).endswith("it returns operand 0, which no Reshape makes")


def test_only_the_placed_level_moves_tensors() -> None:
    force = f"%2 = htp.ForceFormat_Flat(%1) : ({T}>) -> {T}>"
    module = main(*NATIVE[:2], force, NATIVE[2].replace("%1", "%2"))
    assert misfit(module, Level.NATIVE).endswith("it moves a tensor between places")


def test_a_tensor_without_a_place() -> None:
    problem = misfit(main(*NATIVE), Level.PLACED)
    assert problem.endswith(
        "htp.Reshape: does not belong to the placed level: it gives its result 0 no place"
    )


def test_a_tensor_in_tcm_without_an_offset() -> None:
    assert misfit(main(*PLACED), Level.ALLOCATED).endswith("it gives its result 0 no offset in TCM")


def test_an_offset_too_early() -> None:
    lines = [line.replace(TCM, "#htp.place<flat, tcm, 0>") for line in PLACED]
    assert misfit(main(*lines), Level.PLACED).endswith("it gives its result 0 an offset")


def test_an_op_without_a_kernel() -> None:
    lines = [line.replace(TCM, "#htp.place<flat, tcm, 0>") for line in PLACED]
    assert misfit(main(*lines), Level.ALLOCATED).endswith(
        "flat_to_vtcm: does not belong to the allocated level: it names no kernel"
    )


def test_a_level_that_is_none() -> None:
    with pytest.raises(HtpError, match="level 'done': is not known\n  known are graph, native"):
        CheckLevel("done").apply(Context(), main(*NATIVE))
