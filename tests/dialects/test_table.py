"""Tables by op: a missing row is an error that says where to write it."""

import subprocess
import sys

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.dialects.registrar import Table

FORGOTTEN = {
    "raw form": (
        "from htp_mlir.dialects.qti_aisw import GRAPH_OPS as g; g['ElementWiseTau'] = g['Relu']",
        "qti_aisw.ElementWiseTau: has no evaluator\n  add its raw form to dialects/htp/ops, or",
    ),
    "function": (
        "from htp_mlir.dialects import htp; htp.CORE_OF['ElementWiseTau'] = 'Tau'",
        "htp.Tau: has no function\n  add a row to a table in runtime/functions/elementwise.py",
    ),
    "native op": (
        "from htp_mlir.dialects.htp import NATIVE_OPS as n; del n['ReduceSum']",
        "htp.ReduceSum: is no native op with semantics\n  add its class, and its place in OPS, to",
    ),
    "fast kernel": (
        "from htp_mlir.runtime.functions.elementwise import UNARY as u; u['Tau'] = u['Sigmoid']",
        "htp.Tau: has no fast kernel\n  add a row to UNARY in runtime/kernels/support/pointwise.py",
    ),
}
"""A step of the recipes for ops: the step before it, and the message."""


def test_a_table_is_a_dict_but_for_the_error() -> None:
    table = Table({"Add": 1}, "htp.", "has no row", "add one to rows.py")
    assert (table["Add"], table.get("Tan"), "Tan" in table) == (1, None, False)
    with pytest.raises(HtpError) as raised:
        table["Tan"]
    assert raised.value.lines() == ["htp.Tan: has no row", "  add one to rows.py"]


@pytest.mark.parametrize(
    ("table", "name", "line"),
    [
        (NATIVE_OPS, "Tau", "htp.Tau: is no native op"),
        (GRAPH_OPS, "Tau", "qti_aisw.Tau: is no graph op"),
    ],
)
def test_a_missing_op_names_the_folder_of_ops(table: Table[type], name: str, line: str) -> None:
    with pytest.raises(HtpError, match=r"OPS, to a module in dialects/\w+/ops") as raised:
        table[name]
    assert raised.value.lines()[0] == line


@pytest.mark.one_per
@pytest.mark.parametrize("forgotten", FORGOTTEN)
def test_a_forgotten_step_names_the_file_to_edit(forgotten: str) -> None:
    done, message = FORGOTTEN[forgotten]
    code = f"{done}\nimport htp_mlir.runtime.kernels"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert message in run.stderr
