"""The op of an op package in a graph: its forms, its params, what its verifier refuses."""

import pytest
from htp_mlir.dialects.qti_aisw import CustomOp, custom
from htp_mlir.dialects.qti_aisw.base import CustomParam
from htp_mlir.dialects.spec_of import spec_of, type_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import TensorSpec
from xdsl.ir import Block
from xdsl.utils.exceptions import VerifyException

from ...support.examples import example_of, module_of
from ...support.roundtrip import ROUND_TRIPS, CheckText, assert_round_trips, parse, to_text

SPEC = TensorSpec((2, 3), DType.Float32)
PARAMS: dict[str, CustomParam] = {
    "count": 3,
    "factor": 0.5,
    "keep": True,
    "mode": "nearest",
    "axes": (0, -1),
    "scales": (0.5, 2.0),
    "none": (),
}


def made(**params: CustomParam) -> CustomOp:
    return custom("Pkg", "Op.opt", Block(arg_types=[type_of(SPEC)]).args, params, SPEC)


def text(attributes: str, result: str = "tensor<2xf32>") -> str:
    return module_of(f"%y = qti_aisw.Custom(%x) {{{attributes}}} : (tensor<2xf32>) -> {result}")


@ROUND_TRIPS
def test_the_example_round_trips(round_trips: CheckText) -> None:
    round_trips(module_of(example_of(CustomOp)))


def test_every_kind_of_param_comes_back() -> None:
    op = made(**PARAMS)
    op.verify()
    assert op.given() == PARAMS
    assert [type(value) for value in op.given().values()] == [type(v) for v in PARAMS.values()]
    assert op.target == "Pkg.Op.opt"
    assert spec_of(op.results[0]) == SPEC


@ROUND_TRIPS
def test_every_kind_of_param_round_trips(round_trips: CheckText) -> None:
    module = parse(module_of(example_of(CustomOp)))
    (op,) = (op for op in module.walk() if isinstance(op, CustomOp))
    op.properties["params"] = made(**PARAMS).properties["params"]
    round_trips(to_text(module))


def test_params_and_inputs_may_be_absent() -> None:
    printed = assert_round_trips(
        'func.func @main() -> tensor<2xf32> {\n  %y = qti_aisw.Custom() {package = "P", '
        'op_type = "Source"} : () -> tensor<2xf32>\n  func.return %y : tensor<2xf32>\n}'
    )
    assert "qti_aisw.Custom" in printed


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ('package = "", op_type = "Op"', r"\(C1\) package is '', it must be a name"),
        ('package = "P", op_type = "2nd"', r"\(C1\) op_type is '2nd', it must be a name"),
        (
            'package = "P", op_type = "Op", params = {nested = {a = 1 : i64}}',
            r"\(C2\) param 'nested' is .*, it must be i64",
        ),
        ('package = "P", op_type = "Op", colour = 1 : i64', "unknown param 'colour'"),
    ],
)
def test_what_the_verifier_refuses(attributes: str, message: str) -> None:
    with pytest.raises(VerifyException, match=message):
        parse(text(attributes))


def test_an_op_without_a_result_is_refused() -> None:
    op = custom("P", "Op", Block(arg_types=[type_of(SPEC)]).args, {})
    with pytest.raises(VerifyException, match=r"\(C3\) has no result"):
        op.verify()


def test_a_missing_name_is_refused() -> None:
    with pytest.raises(VerifyException, match="op_type"):
        parse(text('package = "P"'))


def test_a_graph_tensor_carries_no_place() -> None:
    placed = "tensor<2xf32, #htp.place<flat, ddr>>"
    with pytest.raises(VerifyException, match=r"carries no #htp\.place"):
        parse(text('package = "P", op_type = "Op"', placed))
