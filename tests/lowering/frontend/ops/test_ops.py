"""Every op family against ONNX Runtime, one node at a time."""

from collections.abc import Sequence

import numpy as np
import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime.session.session import Session
from onnx import helper

from ..cases.case import IMAGE, Case
from ..cases.cases_elementwise import (
    ACTIVATIONS,
    BINARY,
    BITS,
    ELEMENT_WISE,
    INVERSES,
    TESTS,
    UNARY,
)
from ..cases.cases_signals import SIGNALS
from ..cases.cases_tensors import (
    CLASSES,
    INTEGERS,
    LINEAR,
    MOVEMENT,
    NORMS,
    REDUCTIONS,
)
from ..cases.cases_vision import (
    COLUMNS,
    DEFORMED,
    GRIDS,
    PLACES,
    REGIONS,
    TRANSPOSED,
    VOLUMES,
)
from ..cases.cases_windows import (
    CONVOLUTIONS,
    POOLS,
    POOLS_BY_AXIS,
    RESIZES,
    SAMPLES,
    TRANSFORMS,
)
from ..models import (
    assert_same,
    floats,
    judged,
    model_of,
)

VISION = [*VOLUMES, *TRANSPOSED, *PLACES, *COLUMNS, *GRIDS, *DEFORMED, *REGIONS]

ALL = [
    *UNARY,
    *INVERSES,
    *TESTS,
    *BITS,
    *BINARY,
    *ELEMENT_WISE,
    *ACTIVATIONS,
    *CONVOLUTIONS,
    *POOLS,
    *POOLS_BY_AXIS,
    *RESIZES,
    *TRANSFORMS,
    *SIGNALS,
    *SAMPLES,
    *VISION,
    *INTEGERS,
    *CLASSES,
    *LINEAR,
    *NORMS,
    *REDUCTIONS,
    *MOVEMENT,
]

LOWERED = [
    *UNARY,
    *INVERSES,
    *TESTS,
    *BITS,
    *POOLS_BY_AXIS,
    *RESIZES,
    *TRANSFORMS,
    *SIGNALS,
    *SAMPLES,
    *VISION,
    *CLASSES,
    *INTEGERS,
]
"""Cases of ops that are several others in graph IR."""


@pytest.mark.one_per("op")
@pytest.mark.parametrize(("op", "one"), [(c.op, c) for c in ALL], ids=str)
def test_same_as_onnx_runtime(op: str, one: Case) -> None:
    feeds, model = one.model()
    assert_same(model, feeds)


@pytest.mark.parametrize(
    ("direction", "expected"), [("LEFT", [-16, 0, 0, -128, -64]), ("RIGHT", [-4, -1, 0, -1, 1])]
)
def test_shifts_of_signed_numbers(direction: str, expected: Sequence[int]) -> None:
    """A right shift keeps the sign; amounts beyond the bits leave nothing else."""
    x, y = np.array([[-8, -1, 4, -1, 127], [1, 8, -1, 7, 6]], np.int8)
    node = helper.make_node("BitShift", ["x", "y"], ["z"], direction=direction)
    feeds = {"x": x, "y": y}
    session = Session(import_model(model_of([node], feeds, ["z"], {}, 28)))
    assert session.run(feeds)["z"].tolist() == expected


@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
def test_bits_of_numbers(dtype: type[np.integer]) -> None:
    """ONNX Runtime has no BitCast: numpy's views are the judge, there and back."""
    x = np.array([1.5, -0.0, np.nan, np.inf, 1e-45], np.float32)
    to, back = (helper.np_dtype_to_tensor_dtype(np.dtype(one)) for one in (dtype, np.float32))
    nodes = [
        helper.make_node("BitCast", ["x"], ["bits"], to=to),
        helper.make_node("BitCast", ["bits"], ["y"], to=back),
    ]
    module = import_model(model_of(nodes, {"x": x}, ["bits", "y"], {}, 26))
    for session in (Session(module), Session(lower(module), check=True)):
        results = session.run({"x": x})
        np.testing.assert_array_equal(results["bits"], x.view(dtype))
        np.testing.assert_array_equal(results["y"].view(dtype), x.view(dtype))


@pytest.mark.slow
@pytest.mark.sampled("op")
@pytest.mark.parametrize(("op", "one"), [(c.op, c) for c in LOWERED], ids=str)
def test_lowered_as_the_graph(op: str, one: Case) -> None:
    """Ops that are imported as several others run on the processor too."""
    feeds, model = one.model()
    module = import_model(model)
    graph, device = Session(module), Session(lower(module, tcm_bytes=1 << 20), check=True)
    for name, wanted in graph.run(feeds).items():
        np.testing.assert_allclose(device.run(feeds)[name], wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("op", "outputs", "attributes"),
    [
        ("Dropout", ["y", "mask"], {}),
        ("LayerNormalization", ["y", "mean", "deviation"], {}),
        ("MaxPool", ["y", "indices"], {"kernel_shape": [2, 2]}),
    ],
)
def test_outputs_that_nobody_reads_may_have_names(
    op: str, outputs: list[str], attributes: dict[str, object]
) -> None:
    names = ["x", "scale"] if op == "LayerNormalization" else ["x"]
    node = helper.make_node(op, names, outputs, **attributes)
    constants = {name: floats(7) for name in names[1:]}
    assert_same(model_of([node], {"x": IMAGE}, ["y"], constants), {"x": IMAGE})


def test_half_precision() -> None:
    """f16 stays f16 on the way; ONNX Runtime rounds at other places, so the last bits differ."""
    image = IMAGE.astype(np.float16)
    constants = {
        "w": floats(4, 3, 3, 3).astype(np.float16),
        "low": np.array(0.125, np.float16),
        "high": np.array(0.75, np.float16),
    }
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"]),
        helper.make_node("HardSigmoid", ["c"], ["s"]),
        helper.make_node("Clip", ["s", "low", "high"], ["y"]),
    ]
    model = model_of(nodes, {"x": image}, ["y"], constants)
    result = Session(import_model(model)).run({"x": image})["y"]
    assert result.dtype == np.float16
    np.testing.assert_allclose(result, judged(model, {"x": image})["y"], atol=2e-3)
