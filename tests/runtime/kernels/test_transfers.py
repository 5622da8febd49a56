"""Copies in two halves: what may happen between start and wait, and what checks catch."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.runtime.program.preparation import prepare
from htp_mlir.runtime.program.program import LoadStep
from htp_mlir.runtime.session.session import Session
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from ...support.roundtrip import context, parse

DDR = "tensor<1x1x8x32xf32, #htp.place<flat, ddr>>"


def tcm(offset: int) -> str:
    return f"tensor<1x1x8x32xf32, #htp.place<flat, tcm, {offset}>>"


def doubled(body: str) -> str:
    """A function whose lines use %0, a tensor in main memory, and end in %r in TCM at 2048."""
    return f"""
builtin.module attributes {{htp.tcm_bytes = 8192}} {{
func.func @main(%x: tensor<1x1x8x32xf32>) -> tensor<1x1x8x32xf32> {{
  %0 = htp.Reshape(%x) : (tensor<1x1x8x32xf32>) -> {DDR}
  {body}
  %out = htp.flat_from_vtcm(%r) : ({tcm(2048)}) -> {DDR}
  %y = htp.Reshape(%out) : ({DDR}) -> tensor<1x1x8x32xf32>
  func.return %y : tensor<1x1x8x32xf32>
}}
}}"""


START = f"%s = htp.flat_to_vtcm.start(%0) : ({DDR}) -> {tcm(0)}"
WAIT = f"%w = htp.CopyWait(%s) : ({tcm(0)}) -> {tcm(0)}"
USE = f"%r = htp.Relu(%w) : ({tcm(0)}) -> {tcm(2048)}"
WORK = f"""%a = htp.flat_to_vtcm(%0) : ({DDR}) -> {tcm(4096)}
  %b = htp.Neg(%a) : ({tcm(4096)}) -> {tcm(6144)}"""


def lines(*parts: str) -> str:
    return doubled("\n  ".join(parts))


def ran(module: ModuleOp, check: bool) -> np.ndarray:
    data = np.linspace(-1, 1, 256, dtype=np.float32).reshape(1, 1, 8, 32)
    session = Session(module, check=check)
    session.run({"arg0": data * 3})
    (out,) = session.run({"arg0": data}).values()
    assert out is not None
    np.testing.assert_array_equal(out, np.maximum(data, 0))
    return out


@pytest.mark.parametrize("check", [False, True])
def test_other_ops_run_between_start_and_wait(check: bool) -> None:
    ran(parse(lines(START, WORK, WAIT, USE)), check)


@pytest.mark.parametrize("check", [False, True])
def test_a_spilled_tensor_comes_back_in_two_halves(check: bool) -> None:
    start = START.replace("flat_to_vtcm.start(%0)", 'Fill.start(%0) {reason = "needed"}')
    ran(parse(lines(start, WORK, WAIT, USE)), check)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((START, USE.replace("%w", "%s")), "read by htp.Relu before it is waited for"),
        ((START, WAIT, WAIT.replace("%w", "%v"), USE), "waited for more than once"),
        ((START, WAIT.replace("-> " + tcm(0), "-> " + tcm(4096)), USE), "the same place"),
        ((START.replace(".start", ""), WAIT, USE), "not the result of a start"),
    ],
)
def test_what_the_verifier_refuses(parts: tuple[str, ...], message: str) -> None:
    text = lines(*parts)
    if "4096" in parts[1]:
        text = text.replace(f"({tcm(0)}) -> {tcm(2048)}", f"({tcm(4096)}) -> {tcm(2048)}")
    with pytest.raises(VerifyException, match=message):
        parse(text)


def test_checks_catch_a_read_before_the_wait() -> None:
    module = Parser(context(), lines(START, USE.replace("%w", "%s"))).parse_module()
    data = np.ones((1, 1, 8, 32), np.float32)
    with pytest.raises(HtpError, match="before it is waited for"):
        Session(module, check=True).run({"arg0": data})


def test_checks_catch_a_write_where_a_copy_will_arrive() -> None:
    work = WORK.replace("tcm, 6144", "tcm, 0")
    with pytest.raises(HtpError, match="still to be read"):
        Session(parse(lines(START, work, WAIT, USE)), check=True)


CONSTANT = f"%k = htp.Const dense<2.0> : tensor<1x1x8x32xf32> -> {DDR}"


@pytest.mark.parametrize(
    ("start", "wait"),
    [
        (START, WAIT),
        (START.replace(".start", "").replace("%s", "%w"), ""),
    ],
)
@pytest.mark.parametrize(("bytes_", "stays"), [(6144, True), (0, False)])
def test_a_copied_constant_stays_where_nothing_else_uses_its_bytes(
    start: str, wait: str, bytes_: int, stays: bool
) -> None:
    after = WORK.replace("tcm, 6144", f"tcm, {bytes_}").replace("%a", "%c")
    sum_ = f"%r = htp.Add(%w, %a) : ({tcm(0)}, {tcm(4096)}) -> {tcm(2048)}"
    inward = f"%a = htp.flat_to_vtcm(%0) : ({DDR}) -> {tcm(4096)}"
    module = parse(lines(CONSTANT, start.replace("%0", "%k"), inward, wait, sum_, after))
    steps = prepare(module).steps
    assert any(isinstance(step, LoadStep) and step.resident for step in steps) is stays
    data = np.linspace(-1, 1, 256, dtype=np.float32).reshape(1, 1, 8, 32)
    for check in (False, True):
        session = Session(module, check=check)
        for scale in (1, 3):
            (out,) = session.run({"arg0": data * np.float32(scale)}).values()
            np.testing.assert_array_equal(out, data * np.float32(scale) + 2)
