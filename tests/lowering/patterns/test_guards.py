"""What keeps the project's rules from an op: its params, and how much of the TCM it needs."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.patterns import HTP_RULES, tcm_need
from htp_mlir.lowering.rules import GraphOptions, Node, rules, run_rules

from tests.lowering.rules.kit import assert_rewrites, assert_stays, chain, find, names
from tests.support.native_graph import NativeGraph

from .examples import EXAMPLES

RULES, TABLES = Packages().rules, Packages().tables
TIGHT = GraphOptions(tcm_size=1 << 15)


@pytest.mark.parametrize("axes", [(3, 2), (2, 3)])
def test_rows_of_a_norm_over_more_than_the_depth_are_not_independent(axes: tuple[int, ...]) -> None:
    graph = NativeGraph()
    x, gamma, beta = graph.input(1, 16, 64, 32), graph.random(64 * 32), graph.random(64 * 32)
    normed = graph.op("LayerNorm", x, gamma, beta, graph.ints(*axes), graph.scalar(1e-5))
    assert_stays(graph.module(normed), RULES, options=TIGHT)


@pytest.mark.parametrize(("constant", "depth"), [(True, 64), (False, 128)])
def test_of_what_is_quantised_along_a_dim_constants_alone_are_cut_there(
    constant: bool, depth: int
) -> None:
    graph = NativeGraph()
    act = TensorSpec((1, 16, 16, 32), DType.QUInt8, Quant((0.1,), (128,)))
    scales = tuple(0.01 * (index + 1) for index in range(128))
    weights = TensorSpec((3, 3, 32, 128), DType.QInt8, Quant(scales, (0,) * 128, 3))
    bias = TensorSpec((1, 1, 1, 128), DType.QInt32, Quant((0.001,), (0,)))
    ones = np.ones(weights.shape, np.int8)
    filters = graph.const(ones, weights) if constant else graph.input(spec=weights)
    offsets = graph.const(np.zeros(bias.shape, np.int32), bias)
    operands = graph.input(spec=act), filters, graph.shape(1, 1, 1, 1), offsets
    out = act.with_shape((1, 14, 14, 128))
    module = graph.module(graph.op("ConvLayer_valid", *operands, out=out))
    assert_rewrites(module, RULES, options=GraphOptions(tcm_size=1 << 14))
    tiles = [op for op in module.walk() if op.name == "htp.ConvLayer_valid"]
    assert len(tiles) > 1
    assert {Node(op.results[0]).shape[3] for op in tiles} == {depth}
    parts = [Node(op.operands[1]).spec.quant for op in tiles]
    assert {scale for part in parts if part for scale in part.scales} == set(scales)
    assert all(part and len(part.scales) == depth for part in parts)


def test_concats_along_axes_that_nobody_knows_stay() -> None:
    graph = NativeGraph()
    scalar = TensorSpec((1, 1, 1, 1), DType.Int32)
    x, inner, outer = graph.input(1, 2, 2, 2), graph.input(spec=scalar), graph.input(spec=scalar)
    part = graph.op("Concat", inner, x, x, out=(1, 4, 2, 2))
    assert_stays(graph.module(graph.op("Concat", outer, part, part, out=(1, 4, 4, 2))), RULES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_more_than_a_limit_is_needed_where_the_bytes_say_so(name: str) -> None:
    for op in EXAMPLES[name]().walk():
        for node in map(Node, op.results):
            need = tcm_need.tcm_need(TABLES, node)
            more = [tcm_need.needs_more(TABLES, node, need + by) for by in (-1, 0, 1)]
            assert more == [True, False, False], op.name


def test_rules_that_ask_for_the_need_of_ops_must_have_tables() -> None:
    module = chain("Relu", dims=(1, 16, 16, 64))
    with pytest.raises(HtpError, match="function exceeds: the rules have neither"):
        run_rules(module, HTP_RULES, TIGHT)
    for joined in (rules(RULES, HTP_RULES), RULES + HTP_RULES, HTP_RULES + RULES):
        assert run_rules(module.clone(), joined, TIGHT).firings


def test_a_long_chain_is_not_followed_for_an_answer_that_no_layout_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tcm_need, "_layout_of", None)
    module = chain(*["Relu"] * 50, dims=(1, 16, 16, 64))
    last = Node(find(module, "Relu", 49).results[0])
    assert [tcm_need.needs_more(TABLES, last, n) for n in (0, 1 << 20)] == [True, False]
    run_rules(module, RULES, TIGHT)
    assert len(names(module)) > 50
