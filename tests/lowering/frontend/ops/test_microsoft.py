"""ONNX Runtime's own ops, each as it computes them."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.lowering.frontend.onnx.bodies.microsoft import MICROSOFT, SIGNATURES
from htp_mlir.runtime import Session
from onnx import ModelProto, NodeProto, helper

from ..cases.case import Case, case
from ..cases.cases_microsoft import (
    ALL,
    BIAS,
    CONV,
    COS,
    GROUPS,
    ONE_ZERO,
    ROOMY,
    SIN,
    STEP,
    STEPS,
    TEN,
    TOTAL,
    WEIGHTS,
    ZERO,
    Q,
    S,
    T,
    X,
    cache,
    f32,
    i32,
    lstm,
    u8,
)
from ..models import (
    Array,
    floats,
    judged,
    model_of,
)


def modelled(one: Case) -> tuple[dict[str, Array], ModelProto]:
    feeds, model = one.model()
    stray = one.opset < 17 or one.op == "SimplifiedLayerNormalization"
    (node,) = model.graph.node
    node.domain = "" if stray else MICROSOFT
    for attribute in node.attribute:
        attribute.name = attribute.name.rstrip("_")
    model.opset_import.append(helper.make_opsetid(MICROSOFT, 1))
    return feeds, model


@pytest.mark.parametrize("level", ["graph", "allocated"])
@pytest.mark.parametrize(("op", "one"), [(c.op, c) for c in ALL], ids=str)
@pytest.mark.one_per("op")
def test_same_as_onnx_runtime(op: str, one: Case, level: str) -> None:
    feeds, model = modelled(one)
    module = import_model(model)
    session = Session(lower(module) if level == "allocated" else module, check=True)
    outputs = session.run(feeds)
    for name, wanted in judged(model, feeds).items():
        assert outputs[name].dtype == wanted.dtype
        np.testing.assert_allclose(outputs[name], wanted, rtol=1e-4, atol=1e-5, err_msg=name)


def test_every_op_has_a_case() -> None:
    alone = {"BiasAdd", "QLinearReduceMean"}
    assert {one.op for one in ALL} | alone == {name for _, name in SIGNATURES}


@pytest.mark.parametrize("one", ROOMY, ids=str)
def test_new_steps_go_behind_those_of_their_row(one: Case) -> None:
    """Behind the last step of a row, ONNX Runtime and we keep what nobody reads."""
    feeds, model = modelled(one)
    outputs, wanted = Session(import_model(model), check=True).run(feeds), judged(model, feeds)
    np.testing.assert_allclose(outputs["y0"], wanted["y0"], rtol=1e-4, atol=1e-5)
    for name in ("y1", "y2"):
        for row, last in enumerate(feeds["x5"]):
            steps = np.s_[row, :, : last + 1]
            np.testing.assert_allclose(outputs[name][steps], wanted[name][steps], rtol=1e-5)


def test_the_sum_of_an_input_a_bias_and_what_skips() -> None:
    """ONNX Runtime has it on other machines only, as QLinearReduceMean on none."""
    x, bias, skip = floats(2, 3, 8), floats(8), floats(2, 3, 8, seed=1)
    feeds, model = modelled(case("BiasAdd", x, bias, skip))
    (y,) = Session(import_model(model), check=True).run(feeds).values()
    np.testing.assert_array_equal(y, x + bias + skip)


@pytest.mark.parametrize(("axes", "keep"), [([1], 1), ([0, 2], 0), ([], 1)])
def test_the_mean_of_stored_integers(axes: list[int], keep: int) -> None:
    stated = {"axes": axes} if axes else {}
    one = case("QLinearReduceMean", u8(2, 3, 4), S, ZERO, T, TEN, keepdims=keep, **stated)
    feeds, model = modelled(one)
    (y,) = Session(import_model(model), check=True).run(feeds).values()
    real = (feeds["x0"].astype(np.float32) - np.float32(ZERO)) * S
    mean = real.mean(tuple(axes) or None, keepdims=bool(keep))
    np.testing.assert_array_equal(y, np.clip(np.rint(mean / T) + TEN, 0, 255).astype(np.uint8))


def test_attention_of_quantised_operands() -> None:
    """Input and weights come through QuantizeLinear and DequantizeLinear, as tools write them."""

    def real(name: str) -> list[NodeProto]:
        ends = ["s", "z"]
        return [
            helper.make_node("QuantizeLinear", [name, *ends], [f"{name}.q"]),
            helper.make_node("DequantizeLinear", [f"{name}.q", *ends], [f"{name}.r"]),
        ]

    node = helper.make_node("Attention", ["x.r", "w.r", "b"], ["y"], domain=MICROSOFT, num_heads=2)
    constants = {"w": WEIGHTS, "b": BIAS, "s": np.float32(0.03), "z": np.uint8(128)}
    model = model_of([*real("x"), *real("w"), node], {"x": X}, ["y"], constants)
    model.opset_import.append(helper.make_opsetid(MICROSOFT, 1))
    module, wanted = import_model(model), judged(model, {"x": X})["y"]
    for level in (module, lower(module)):
        (y,) = Session(level, check=True).run({"x": X}).values()
        np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ({"direction": "sideways"}, "attribute 'direction' is 'sideways'"),
        ({"activations": ["Relu", "Tanh", "Tanh"]}, "its activations are"),
        ({"input_forget": 1}, "attribute 'input_forget' is 1, only 0 is supported"),
    ],
)
def test_what_an_lstm_of_stored_weights_cannot(attributes: dict, problem: str) -> None:
    one = lstm(1, f32(0.01), ONE_ZERO, **attributes)
    with pytest.raises(HtpError, match=problem):
        import_model(modelled(one)[1])


@pytest.mark.parametrize("packed", ["QKV", "KV"])
def test_packed_operands_are_as_apart(packed: str) -> None:
    """ONNX Runtime has packed operands on other machines only: here it computes them apart."""
    apart = [floats(2, 5, 2, 4, seed=n) for n in (1, 2, 3)]
    flat = [part.reshape(2, 5, 8) for part in apart]
    feeds, model = modelled(case("MultiHeadAttention", *flat, BIAS, fixed=3, num_heads=2))
    wanted = judged(model, feeds)["y0"]
    together = [] if packed == "QKV" else [flat[0]]
    stacked = np.stack(apart[3 - len(packed) :], axis=3)
    rest = [None] * (len(packed) - 1)
    one = case("MultiHeadAttention", *together, stacked, *rest, BIAS, fixed=2, num_heads=2)
    feeds, model = modelled(one)
    outputs = Session(import_model(model), check=True).run(feeds)
    np.testing.assert_allclose(outputs["y0"], wanted, rtol=1e-4, atol=1e-5)


BLOCKS = {"K": 8, "N": 1, "bits": 4, "block_size": 16}
REFUSED = [
    (case("Gelu", X, colour=3), "attribute 'colour' is not supported"),
    (case("FusedConv", *CONV, activation="Mish"), "attribute 'activation' is Mish; allowed are"),
    (case("FusedConv", *CONV, activation="Clip"), "Clip is fused without its two bounds"),
    (case("FusedMatMul", X, X, alpha=1), "attribute 'alpha' is int, it must be float"),
    (case("FusedMatMul", X[0], X[0], transBatchA=1), "operand A has rank 2"),
    (case("FusedGemm", X[0]), "input 'B' is missing; it is mandatory"),
    (case("QuickGelu", X, X), "input 1 ('x1') is not supported"),
    (case("SkipLayerNormalization", X, X, X[0, 0], outputs=2), "output 1 ('y1') is not supported"),
    (case("Attention", X, WEIGHTS, BIAS), "attribute 'num_heads' is 0; use a number >= 1"),
    (case("Attention", X, WEIGHTS, num_heads=2, do_rotary=1), "'do_rotary' is 1, only 0 is"),
    (
        case("Attention", X, WEIGHTS, num_heads=2, qkv_hidden_sizes=[8, 8]),
        "24 columns of weights do not divide into [8, 8]",
    ),
    (case("Attention", X, WEIGHTS, None, X, num_heads=2), "its mask is 2x3x8; give a flag"),
    (case("MultiHeadAttention", Q, Q, num_heads=2), "has 2 operands, it must have 3"),
    (case("MultiHeadAttention", Q, Q, Q, BIAS[:9], num_heads=2), "its bias has 9 numbers"),
    (case("MatMulNBits", X, X, **BLOCKS), "input 'scales' is missing"),
    (case("MatMulNBits", X, X, X, **BLOCKS, fixed=3), "input 'B' ('x1') is not constant"),
    (case("MatMulNBits", X, X, X, **BLOCKS), "do not fit 'N', 'K' and 'block_size'"),
    (case("MatMulNBits", X, X, X, **BLOCKS | {"bits": 3}), "attribute 'bits' is 3; it may be 2"),
    (case("MatMulNBits", X, X, X, **BLOCKS | {"block_size": 3}), "1 rows of 8 in blocks of 3"),
    (case("GroupQueryAttention", X), "input 'lengths' is missing"),
    (
        case("GroupQueryAttention", *STEP, *cache(2, 2, 4, 8), i32(4, 4), TOTAL, fixed=7, **GROUPS),
        "input 'total' ('x6') is not constant",
    ),
    (
        case("GroupQueryAttention", *STEP, None, None, i32(4, 4), TOTAL, fixed=3, **GROUPS),
        "has 1 steps of 5 and no past",
    ),
    (
        case("GroupQueryAttention", *STEP, None, None, i32(4), TOTAL, num_heads=3, kv_num_heads=2),
        "has 3 heads of queries and 2 of keys",
    ),
    (case("RotaryEmbedding", X[0], STEPS, COS, SIN), "operand X has rank 2, it must be 3 or 4"),
    (case("SparseAttention", X), "the op is not supported; express it in supported ops"),
    (case("NhwcFusedConv", X), "reads a layout that ONNX Runtime chose for this machine"),
]


@pytest.mark.parametrize(("one", "problem"), REFUSED, ids=lambda value: str(value)[:24])
def test_refused(one: Case, problem: str) -> None:
    _, model = modelled(one)
    with pytest.raises(HtpError) as caught:
        import_model(model)
    (fault,) = caught.value.faults
    assert problem in fault.line()
    assert f"({MICROSOFT}.{one.op})" in fault.line()
