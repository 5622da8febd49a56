"""Ops that arrange and look up, against ONNX Runtime: as imported, and lowered to the allocator."""

import numpy as np
import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import import_model
from htp_mlir.runtime import Session
from onnx import helper

from ..cases.case import (
    Case,
    case,
    f32,
    i64,
)
from ..models import (
    Array,
    floats,
    ints,
    judged,
    model_of,
)

SQUARE = floats(4, 6)
BOOLS = SQUARE > 0.5
PIXELS = floats(2, 3, 4, 6)

ARRANGEMENT = [
    *(case("DepthToSpace", floats(2, 8, 3, 5), blocksize=2, mode=mode) for mode in ("DCR", "CRD")),
    case("DepthToSpace", floats(1, 9, 2, 1), blocksize=3),
    case("SpaceToDepth", PIXELS, blocksize=2),
    case("SpaceToDepth", floats(1, 1, 6, 9), blocksize=3),
    *(case("Pad", SQUARE, i64(1, 2, 3, 1), mode=mode) for mode in ("reflect", "edge", "wrap")),
    case("Pad", PIXELS, i64(1, 2, 0, 3), None, i64(-1, 2), mode="reflect"),
    case("Pad", ints(4, 6), i64(-1, 2, 0, -3), np.array(7, np.int32)),
    case("Pad", SQUARE, i64(-1, 1, 2, -2), mode="edge"),
    *(case("Trilu", PIXELS, np.array(k, np.int64), upper=k % 2) for k in (-1, 0, 2, 9)),
    case("Trilu", ints(5, 3, dtype="int64")),
    case("Trilu", SQUARE > 0, upper=0),
    case("EyeLike", SQUARE, k=1, dtype=6),
    case("EyeLike", SQUARE),
    *(
        case("CumSum", PIXELS, np.array(axis, np.int32), reverse=reverse, exclusive=exclusive)
        for axis, reverse, exclusive in ((0, 0, 0), (-1, 1, 0), (2, 0, 1), (1, 1, 1))
    ),
    *(
        case("CumSum", ints(2, 4099, 2, dtype="int64"), np.array(1), reverse=i, exclusive=j)
        for i, j in ((0, 0), (1, 0), (0, 1), (1, 1))
    ),
    case("CumSum", ints(8193).astype(np.float32), np.array(0)),
    case("CumSum", ints(9, dtype="int64"), np.array([0], np.int64)),
    case("CumSum", f32(np.inf, 1, -2), np.array(0, np.int32), reverse=1),
    case("CumSum", floats(1, 3), np.array(0, np.int32), exclusive=1),
]

PLACES = np.array([[0, -1, 2], [1, 1, -3]])
TUPLES = np.array([[[0, 1], [-1, -2]], [[1, 0], [0, 0]]])

LOOKUP = [
    case("GatherElements", SQUARE, PLACES, fixed=2, axis=1),
    case("GatherElements", PIXELS, np.zeros((1, 2, 3, 5), np.int32), fixed=2, axis=-2),
    case("GatherElements", ints(4, 6, dtype="int64"), PLACES),
    case("GatherND", PIXELS, TUPLES, fixed=2),
    case("GatherND", floats(2, 4, 6), TUPLES, fixed=2, batch_dims=1),
    case("GatherND", SQUARE > 0, np.array([[0], [-1]])),
    case("ReverseSequence", floats(4, 3, 2), i64(4, 1, 2), fixed=2),
    case("ReverseSequence", floats(3, 5), i64(1, 5, 3), fixed=2, time_axis=1, batch_axis=0),
    case("Compress", SQUARE, np.array([True, False, True]), axis=-1),
    case("Compress", SQUARE, np.array([False, False, True, True])),
    case("OneHot", np.array([[0, -1], [3, 9]]), i64(5), f32(-1, 2), fixed=1),
    case("OneHot", ints(2, 3, low=-4, dtype="int64"), i64(4), i64(0, 1), fixed=1, axis=0),
    case("OneHot", f32(0, 2), f32(3), f32(0, 1), axis=1),
    case("Hardmax", floats(2, 3, 5)),
    case("Hardmax", f32(1, 3, 3, 2), axis=0),
    *(
        case(op, ints(3, 9, 2, high=2, dtype="int32"), axis=1, select_last_index=1, keepdims=keep)
        for op, keep in (("ArgMax", 0), ("ArgMin", 1))
    ),
]

ORDER = [
    case("TopK", PIXELS, i64(3), outputs=2),
    case("TopK", PIXELS, i64(2), outputs=2, axis=1, largest=0),
    case("TopK", floats(2, 3, 2, 1, 3, 5), i64(3), outputs=2),
    case("TopK", ints(3, 9, high=2, dtype="int64"), i64(9), outputs=2),
    case("TopK", ints(3, 9, high=2), i64(4), outputs=2, axis=-1, largest=0),
]

SCATTER = [
    *(
        case("ScatterND", PIXELS, TUPLES, floats(2, 2, 4, 6, seed=1), reduction=how, fixed=3)
        for how in ("none", "add", "mul", "max", "min")
    ),
    case("ScatterND", floats(2, 3, 2, 3, 5), TUPLES[:, 0] % 2, floats(2, 2, 3, 5), fixed=3),
    case("ScatterND", SQUARE, np.array([[[0, 1]], [[3, -1]]]), f32([7], [8]), fixed=1),
    case("ScatterND", ints(4, 6, dtype="int64"), np.array([[2]]), ints(1, 6, dtype="int64")),
    case("ScatterND", SQUARE > 0, np.array([[2]]), BOOLS[:1], fixed=3),
    case("ScatterElements", SQUARE, PLACES, floats(2, 3), fixed=3, axis=1),
    case("ScatterElements", SQUARE, PLACES, floats(2, 3), fixed=3, reduction="add"),
    case("ScatterElements", PIXELS, np.full((1, 2, 4, 3), -1), floats(1, 2, 4, 3), axis=3),
    case("Scatter", SQUARE, np.zeros((1, 6), np.int64), floats(1, 6), opset=9),
]

EINSUM = [
    case("Einsum", *(floats(*shape, seed=i) for i, shape in enumerate(shapes)), equation=text)
    for text, shapes in {
        "ij->ji": [(4, 6)],
        "i j -> i": [(4, 6)],
        "ij->": [(4, 6)],
        "ii->i": [(5, 5)],
        "bii": [(2, 5, 5)],
        "ij,jk": [(4, 6), (6, 5)],
        "i,j->ji": [(4,), (6,)],
        "bhqd,bhkd->bhqk": [(2, 3, 4, 5), (2, 3, 6, 5)],
        "bqk,bkhd,hdm->bqm": [(2, 4, 5), (2, 5, 3, 2), (3, 2, 6)],
        "ijk,jl->ikl": [(2, 3, 4), (3, 5)],
        "ij,kj->ik": [(4, 6), (1, 6)],
        "...ij,...jk->...ik": [(2, 3, 4, 5), (2, 1, 5, 6)],
        "a...,b...->ab...": [(2, 4), (3, 4)],
        "ij,ij->ij": [(4, 6), (4, 6)],
        "ab->ba": [(0, 4)],
    }.items()
]

ALL = [*ARRANGEMENT, *LOOKUP, *ORDER, *SCATTER, *EINSUM]


@pytest.mark.one_per("op")
@pytest.mark.parametrize("level", ["graph", "allocated"])
@pytest.mark.parametrize(("op", "one"), [(c.op, c) for c in ALL], ids=str)
def test_same_as_onnx_runtime(op: str, one: Case, level: str) -> None:
    """Sums of many terms may be rounded in another order, hence 1e-5."""
    arrays = {f"x{i}": a for i, a in enumerate(one.inputs) if a is not None}
    names = ["" if a is None else f"x{i}" for i, a in enumerate(one.inputs)]
    outputs = [f"y{i}" for i in range(one.outputs)]
    node = helper.make_node(op, names, outputs, **one.attributes)
    feeds = {name: arrays[name] for name in names[: one.fixed] if name}
    constants = {name: a for name, a in arrays.items() if name not in feeds}
    model = model_of([node], feeds, outputs, constants, one.opset)
    module = import_model(model)
    results = Session(module if level == "graph" else lower(module), check=True).run(dict(feeds))
    for name, wanted in judged(model, feeds).items():
        assert results[name].dtype == wanted.dtype
        np.testing.assert_allclose(results[name], wanted, rtol=1e-5, atol=2e-6, err_msg=name)


@pytest.mark.parametrize(
    ("op", "outputs"), [("NonZero", ["p"]), ("Unique", ["q", "", "p"])], ids=["NonZero", "Unique"]
)
def test_places_in_a_constant_are_constant(op: str, outputs: list[str]) -> None:
    nodes = [
        helper.make_node(op, ["c"], outputs),
        helper.make_node("Gather", ["x", "p"], ["y"]),
    ]
    model = model_of(nodes, {"x": SQUARE}, ["y"], {"c": f32(0, 2, 0, 1)})
    (y,) = judged(model, {"x": SQUARE}).values()
    np.testing.assert_array_equal(Session(import_model(model)).run({"x": SQUARE})["y"], y)


def test_space_to_depth_undoes_depth_to_space() -> None:
    """ONNX Runtime has SpaceToDepth without a mode; for CRD it is the inverse that is asked for."""
    nodes = [
        helper.make_node(op, [x], [y], blocksize=2, mode="CRD")
        for op, x, y in (("SpaceToDepth", "x", "d"), ("DepthToSpace", "d", "y"))
    ]
    model = model_of(nodes, {"x": PIXELS}, ["y"], opset=28)
    np.testing.assert_array_equal(Session(import_model(model)).run({"x": PIXELS})["y"], PIXELS)


REFUSED = [
    (case("NonZero", SQUARE), "its inputs must be constant"),
    (case("Pad", SQUARE, i64(-3, 0, -2, 0)), "crops more of dim 0 than its 4 elements"),
    (case("Compress", SQUARE, np.ones(7, bool), axis=1), "longer than dim 1, which is 6"),
    (case("Einsum", SQUARE, floats(5, 2), equation="ij,jk"), "label 'j' stands for 6 and for 5"),
    (case("DepthToSpace", PIXELS, blocksize=2), "depth 3, blocks of 2x2 do not divide it"),
]


@pytest.mark.parametrize(("one", "problem"), REFUSED, ids=lambda value: str(value)[:20])
def test_refused(one: Case, problem: str) -> None:
    names = [f"x{i}" for i in range(len(one.inputs))]
    arrays: dict[str, Array] = dict(zip(names, one.inputs, strict=True))
    node = helper.make_node(one.op, names, ["y"], **one.attributes)
    model = model_of([node], {"x0": arrays.pop("x0")}, ["y"], arrays)
    with pytest.raises(HtpError, match=problem):
        import_model(model)


@pytest.mark.parametrize(("width", "gathers"), [(3, 0), (20, 1)])
def test_narrow_margins_are_cut_and_joined(width: int, gathers: int) -> None:
    """An image in tiles reads parts of a join, where a Gather takes the whole image."""
    _, model = case(
        "Pad", floats(1, 2, 40, 6), i64(0, 0, width, 0, 0, 0, width, 0), mode="reflect"
    ).model()
    assert str(import_model(model)).count("qti_aisw.Gather") == gathers


def test_a_long_dim_is_scanned_in_blocks() -> None:
    """Steps over the whole dim could not be tiled apart."""
    feeds = {"x": np.zeros(2**24, np.float32)}
    node = helper.make_node("CumSum", ["x", "axis"], ["y"])
    text = str(import_model(model_of([node], feeds, ["y"], {"axis": np.array(0)})))
    sums = [line for line in text.splitlines() if "ElementWiseAdd" in line]
    whole = [line for line in sums if line.endswith("tensor<1x4096x4096x1xf32>")]
    assert (len(sums), len(whole)) == (12 + 12 + 1, 12 + 1)


@pytest.mark.parametrize("mode", ["linear", "circular"])
def test_a_cache_takes_steps_from_its_write_indices_on(mode: str) -> None:
    """ONNX Runtime has no TensorScatter yet, so the result is written out."""
    node = helper.make_node("TensorScatter", ["x", "u", "w"], ["y"], mode=mode)
    cache, update = floats(2, 3, 4, 5), floats(2, 3, 2, 5, seed=1)
    writes = i64(1, 3 if mode == "circular" else 2)
    feeds = {"x": cache, "u": update, "w": writes}
    lowered = lower(import_model(model_of([node], feeds, ["y"], opset=24)))
    expected = cache.copy()
    expected[0, :, [1, 2]] = update[0].transpose(1, 0, 2)
    expected[1, :, [3, 0] if mode == "circular" else [2, 3]] = update[1].transpose(1, 0, 2)
    np.testing.assert_array_equal(Session(lowered, check=True).run(feeds)["y"], expected)
