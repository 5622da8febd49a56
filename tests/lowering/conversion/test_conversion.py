"""Every graph op gives the same numbers at the graph level, converted, rewritten and allocated."""

import tracemalloc
from collections.abc import Callable
from functools import cache

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.qti_aisw import GRAPH_OPS
from htp_mlir.dialects.spec_of import Array
from htp_mlir.lowering import lower
from htp_mlir.lowering.levels import Level
from htp_mlir.lowering.passes.checks.check_level import check_level
from htp_mlir.lowering.passes.graph.convert import ConvertToHtp
from htp_mlir.runtime import Session, parse_module
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tests.support.feeds import assert_same
from tests.support.graph import Model

from .cases import CASES, STATEFUL

SMALL = 64 * 1024
"""Bytes of TCM; a tensor above a quarter of it, or an op above half, gets no easy way."""

Run = list[dict[str, Array | None]]


@cache
def model(name: str) -> Model:
    return CASES[name]()


def run(module: ModuleOp, name: str, check: bool = False) -> Run:
    """Several inferences of one session."""
    session = Session(module, check=check)
    steps = 14 if name in STATEFUL else 2
    return [session.run(model(name).feeds(seed)) for seed in range(steps)]


@cache
def expected(name: str) -> Run:
    return run(model(name).module, name)


def compare(outputs: Run, wanted: Run) -> None:
    for got, want in zip(outputs, wanted, strict=True):
        assert_same(got, want)


def converted(module: ModuleOp) -> ModuleOp:
    native = module.clone()
    ConvertToHtp().apply(Context(), native)
    native.verify()
    check_level(native, Level.NATIVE)
    return native


def test_no_op_is_missing() -> None:
    assert {name.partition(" ")[0] for name in CASES} == {*GRAPH_OPS, "Const"}


def rewritten(module: ModuleOp) -> ModuleOp:
    return lower(module, tcm_bytes=SMALL, level="native")


def allocated(module: ModuleOp) -> ModuleOp:
    return lower(module, tcm_bytes=SMALL)


@pytest.mark.one_per("name")
@pytest.mark.parametrize("lowered", [converted, rewritten, allocated])
@pytest.mark.parametrize("name", CASES)
def test_the_numbers_stay(name: str, lowered: Callable[[ModuleOp], ModuleOp]) -> None:
    module = lowered(model(name).module)
    compare(run(module, name, check=lowered is allocated), expected(name))


LARGE = """!x = tensor<2x24x16x1000000xf32>
func.func @main(%x: !x) -> !x {
  %0 = qti_aisw.Custom(%x) {op_type = "A", package = "Other", params = {}} : (!x) -> !x
  %1 = qti_aisw.Custom(%0) {op_type = "B", package = "Other", params = {}} : (!x) -> !x
  func.return %1 : !x
}
"""


def test_what_stands_for_a_large_result_that_fails_is_small() -> None:
    module = parse_module(LARGE)
    tracemalloc.start()
    with pytest.raises(HtpError, match="2 nodes"):
        lower(module)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 1 << 26
