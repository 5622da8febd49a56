"""Ops that only their reference kernel takes: refused by default, at home if allowed."""

from pathlib import Path

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.spec_of import spec_of
from htp_mlir.dialects.value.spec import FLAT_DDR, Memory
from htp_mlir.lowering import lower
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.tools import htp_opt
from htp_mlir.runtime import Session, parse_module

from .slow_package import Doubled, package

FILE = str(Path(__file__).with_name("slow_package.py"))


def packages(fast: bool = False) -> Packages:
    return Packages().extended(package(fast))


def graph(*ops: str, element: str = "f32") -> str:
    type_ = f"tensor<3x5x{element}>"
    body = "".join(
        f"    %{i + 1} = qti_aisw.{op}(%{i}) : ({type_}) -> {type_}\n" for i, op in enumerate(ops)
    )
    return f"""func.func @main(%0: {type_} {{htp.name = "x"}}) -> ({type_} {{htp.name = "y"}}) {{
{body}    func.return %{len(ops)} : {type_}
  }}"""


def test_the_error_shows_the_three_lines_that_fix_it() -> None:
    with pytest.raises(HtpError) as error:
        lower(parse_module(graph("Relu")), packages=packages())
    assert error.value.lines() == [
        "<text>:2:5: Slow.Doubled: no kernel takes what its properties want: "
        "'out' Float32 any layout in tcm, 'in' Float32 any layout in tcm",
        "  write a kernel for that, change the properties, or lower with allow-reference=true",
        '    @KERNELS.kernel("Doubled")  # KERNELS = KernelSet("Slow"); '
        "def f(out: PlainFloatTensor_TCM, in_: PlainFloatTensor_TCM) -> None",
        '    tensor_properties(Op("Doubled", "in"), Flat("..."), MainMemory("..."))',
        "    htp-lower{allow-reference=true}, or lower(module, allow_reference=True)",
        "    Slow.Doubled(<text>:2:5) : (tensor<1x1x3x5xf32>) -> tensor<1x1x3x5xf32>",
        "    ^^^^^^^^^^^^",
    ]


def test_every_such_op_is_listed() -> None:
    with pytest.raises(HtpError) as error:
        lower(parse_module(graph("Relu", "Tanh", "Relu")), packages=packages())
    assert [fault.where for fault in error.value.faults] == [
        f"<text>:{line}:5: Slow.Doubled" for line in (2, 4)
    ]


def test_where_it_is_allowed_it_runs_from_main_memory() -> None:
    lowered = lower(parse_module(graph("Relu")), packages=packages(), allow_reference=True)
    (op,) = (op for op in lowered.walk() if isinstance(op, Doubled))
    assert op.kernel is not None
    assert op.kernel.data == "reference"
    assert {spec_of(value).place for value in (*op.operands, *op.results)} == {FLAT_DDR}
    x = np.arange(15, dtype=np.float32).reshape(3, 5)
    result = Session(lowered, library=packages().library).run({"x": x})["y"]
    np.testing.assert_array_equal(result, 2 * x)


def test_a_kernel_for_these_classes_fixes_it() -> None:
    lowered = lower(parse_module(graph("Relu")), packages=packages(fast=True))
    (op,) = (op for op in lowered.walk() if isinstance(op, Doubled))
    assert op.kernel is not None
    assert op.kernel.data == "in_tcm"


@pytest.mark.parametrize(("element", "memory"), [("i64", Memory.TCM), ("ui8", Memory.DDR)])
def test_what_has_no_class_is_at_home_anyhow(element: str, memory: Memory) -> None:
    lowered = lower(parse_module(graph("ElementWiseAbs", element=element)))
    (op,) = (op for op in lowered.walk() if op.name == "htp.Abs")
    assert spec_of(op.results[0]).memory is memory


def test_htp_opt_takes_the_option() -> None:
    text = graph("Relu")
    status, out, err = htp_opt.run(["--package", FILE, "-p", "htp-lower"], text)
    assert (status, out) == (1, "")
    assert err.startswith("<stdin>:2:5: Slow.Doubled: no kernel takes what its properties want")
    status, out, err = htp_opt.run(
        ["--package", FILE, "-p", "htp-lower{allow-reference=true}"], text
    )
    assert (status, err) == (0, "")
    assert 'Slow.Doubled(%1) {kernel = "reference"}' in out
