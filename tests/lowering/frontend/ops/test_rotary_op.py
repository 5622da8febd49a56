"""ONNX's op RotaryEmbedding as one op, against ONNX's evaluator: imported and lowered."""

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model

from ..cases.case import Case, case, i64
from ..models import floats
from ..test_bodies import assert_as_reference, modelled

X, ROWS = floats(2, 4, 5, 8), floats(2, 5, 32)
IDS = i64(*range(10)).reshape(2, 5)
PAIRS = floats(2, 5, 4), floats(2, 5, 4, seed=1)
TABLES = floats(10, 4), floats(10, 4, seed=1)
FEW = floats(2, 5, 2), floats(2, 5, 2, seed=1)


def rotary(*inputs, **attributes) -> Case:
    return case("RotaryEmbedding", *inputs, **{"fixed": 3, "opset": 23, **attributes})


CASES = [
    rotary(X, *PAIRS),
    rotary(X, *TABLES, IDS, fixed=1),
    rotary(X, *TABLES, IDS, interleaved=1, fixed=4),
    rotary(ROWS, *TABLES, IDS, num_heads=4),
    rotary(ROWS, *PAIRS, num_heads=4, interleaved=1),
    rotary(X, *FEW, rotary_embedding_dim=4),
    rotary(X, *FEW, rotary_embedding_dim=4, interleaved=1),
]


@pytest.mark.parametrize("one", CASES, ids=str)
def test_same_as_the_reference_at_both_levels(one: Case) -> None:
    model, feeds = modelled(one)
    module = import_model(model)
    assert [op.name for op in module.walk()].count("qti_aisw.RotaryEmbedding") == 1
    for level in (module, lower(module)):
        assert_as_reference(level, model, feeds)


@pytest.mark.parametrize(
    ("one", "problem"),
    [
        (rotary(ROWS, *PAIRS, num_heads=5), "'num_heads' is 5, input 0 has depth 32"),
        (rotary(X, *PAIRS, rotary_embedding_dim=3), "'rotary_embedding_dim' is 3, heads have"),
        (rotary(X, *FEW), "input 1 has shape"),
    ],
)
def test_what_does_not_fit_is_told(one: Case, problem: str) -> None:
    with pytest.raises(HtpError) as caught:
        import_model(modelled(one)[0])
    assert any(problem in fault.line() for fault in caught.value.faults)
