"""Files of encodings: both forms written and read, and all that is wrong in one told at once."""

import json
from pathlib import Path

import pytest
from htp_mlir.dialects.diagnostics import HtpError
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.lowering.quantization import (
    Encoding,
    Encodings,
    read_encodings,
    write_encodings,
)
from htp_mlir.lowering.quantization.encodings import grid, symmetric
from htp_mlir.lowering.quantization.encodings.files import FORMS, encodings_text

ENCODINGS = Encodings(
    {
        "x": grid(-1, 3, DType.QUInt8),
        "y": grid(0, 1, DType.QUInt16),
        "z": grid(-1, 1, DType.QInt16),
        "half": Encoding(DType.Float16),
    },
    {"w": symmetric([1.0, 2.5], DType.QInt8, 0), "b": symmetric([4.0], DType.QInt32)},
)


@pytest.mark.parametrize("version", FORMS)
def test_what_is_written_is_read(version: str, tmp_path: Path) -> None:
    write_encodings(tmp_path / "e.json", ENCODINGS, version)
    assert read_encodings(tmp_path / "e.json") == ENCODINGS


def test_the_forms() -> None:
    x = Encodings({"x": grid(-1, 1.55, DType.QUInt8)})
    old, new = (json.loads(encodings_text(x, version)) for version in ("0.6.1", "1.0.0"))
    (entry,) = old["activation_encodings"]["x"]
    assert entry == {
        **{"bitwidth": 8, "dtype": "int", "is_symmetric": "False"},
        **{"min": pytest.approx(-1), "max": pytest.approx(1.55)},
        **{"scale": pytest.approx(0.01), "offset": -100},
    }
    (entry,) = new["activation_encodings"]
    assert entry == {
        **{"name": "x", "dtype": "INT", "bw": 8, "is_sym": False, "enc_type": "PER_TENSOR"},
        **{"scale": [pytest.approx(0.01)], "offset": [-100]},
    }


def test_what_tools_write_beside_the_encodings() -> None:
    for version in ("0.6.1", "1.0.0"):
        text = encodings_text(ENCODINGS, version)
        content = json.loads(text)
        assert text == json.dumps(content, indent=4, sort_keys=True) + "\n"
        assert [*content] == [
            *("activation_encodings", "excluded_layers", "param_encodings"),
            *("quantizer_args", "version"),
        ]
        assert content["quantizer_args"] == {
            "activation_bitwidth": 16,
            "dtype": "int",
            "is_symmetric": True,
            "param_bitwidth": 8,
            "per_channel_quantization": True,
        }


def test_what_others_write_is_passed_over(tmp_path: Path) -> None:
    entry = {"min": -1.0, "max": 1.55, "is_symmetric": "False", "observer": "mse"}
    content = of_map(**entry) | {
        "version": "0.6.1",
        "producer": {"name": "a tool"},
        "excluded_layers": ["head"],
        "quantizer_args": {"activation_bitwidth": 4, "quant_scheme": "percentile"},
    }
    assert read(content, tmp_path).activations["x"] == grid(-1, 1.55, DType.QUInt8)


def of_map(**properties: object) -> dict[str, object]:
    return {"activation_encodings": {"x": [{"bitwidth": 8, "dtype": "int", **properties}]}}


def of_list(**properties: object) -> dict[str, object]:
    entry = {"name": "x", "bw": 8, "scale": [0.5], "offset": [0], **properties}
    return {"activation_encodings": [entry]}


def read(content: object, folder: Path) -> Encodings:
    (folder / "e.json").write_text(json.dumps(content))
    return read_encodings(folder / "e.json")


def test_a_range_alone_gives_the_grid(tmp_path: Path) -> None:
    encodings = read(of_map(min=-1.0, max=1.55), tmp_path)
    assert encodings.activations["x"].quant == grid(-1, 1.55, DType.QUInt8).quant


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (of_map(scale=0.5, offset=0, min=-1, max=126.5), "its range -1 to 126.5 is not that of"),
        (of_map(min=1.0, max=1.0), "its range is 1 to 1; max is above min"),
        (of_map(scale=0.5, offset=3), "its offset is 3; it is from -255 to 0"),
        (of_map(scale=0.5, offset=-7, is_symmetric=True), "where symmetric it is 0 or -128"),
        (of_map(scale=0, offset=0), "its scale is 0; a scale is above 0"),
        (of_map(scale="a", offset=0), "its scale is a, no finite number"),
        (of_map(scale=0.5, offset=0.5), "its offset is 0.5, no whole number"),
        (of_map(bitwidth=5, scale=0.5, offset=0), "has 5 bits; an integer has 2, 4, 8, 16 or"),
        (of_map(bitwidth=32, scale=0.5, offset=0), "has 32 bits; an integer has 2, 4, 8, 16 or"),
        (of_map(dtype="float", bitwidth=8), "is a float of 8 bits; a float has 16 or 32"),
        (of_map(dtype="text"), "its dtype is text; it is int or float"),
        (of_map(dtype={"text": 1}), "its dtype is {'text': 1}; it is int or float"),
        (of_list(dtype=["INT"]), "it is INT or FLOAT"),
        (of_list(enc_type=[]), "supported are PER_TENSOR"),
        ({"activation_encodings": {"x": []}}, "is no list of encodings"),
        ({"activation_encodings": 3}, "is no map from names to encodings"),
        (of_list(enc_type="VECTOR"), "supported are PER_TENSOR, PER_CHANNEL, PER_BLOCK, LPBQ"),
        (of_list(enc_type="PER_BLOCK"), "its block_size is None, no whole number"),
        (of_list(scale=[0.5, 0.5], offset=[0, 0]), "has 2 scales per tensor"),
        (of_list(offset=[0, 0]), "has 1 scales and 2 offsets"),
        (of_list(scale=0.5), "has no lists of scales and offsets"),
        (of_list(name=None), "'number 0': has no name"),
        ({"version": "2", "param_encodings": []}, 'its version "2" is not known'),
        ({}, "holds no encodings"),
        ([], "is not a JSON object"),
    ],
)
def test_what_is_refused(content: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(HtpError) as caught:
        read(content, tmp_path)
    assert message in caught.value.faults[0].line()


def test_all_faults_come_in_one_go(tmp_path: Path) -> None:
    content = {
        "activation_encodings": {"x": [{"bitwidth": 4}], "y": [{"bitwidth": 8}]},
        "param_encodings": {"w": 1},
    }
    with pytest.raises(HtpError) as caught:
        read(content, tmp_path)
    places = [fault.where.rpartition(": ")[2] for fault in caught.value.faults]
    assert places == ["activation_encodings 'x'", "activation_encodings 'y'", "param_encodings 'w'"]


BLOCKS = {
    "name": "w",
    "output_dtype": "int4",
    "axis": 1,
    "block_size": 2,
    "per_block_int_scale": [[1, 3], [15, 2]],
    "per_channel_float_scale": [[0.5], [0.25]],
}
NESTED = {
    **{key: BLOCKS[key] for key in ("name", "output_dtype", "axis", "block_size")},
    "y_scale": {"x": [[1, 3], [15, 2]], "x_scale": [0.5, 0.25], "axis": 0},
}
DOUBLE = {
    **{"name": "w", "dtype": "INT", "enc_type": "LPBQ", "bw": 8, "compressed_bw": 4},
    **{"is_sym": True, "block_size": 2, "per_block_int_scale": [1, 3, 15, 2]},
    **{"scale": [0.5, 0.25], "offset": [-128, -128]},
}
BY_VERSION = {
    "1.0.0": {"activation_encodings": [], "param_encodings": [DOUBLE]},
    "2.0.0": {"encodings": [BLOCKS]},
    "2.1.0": {"encodings": [NESTED]},
}


def test_scales_that_are_quantised_in_turn(tmp_path: Path) -> None:
    """An integer by block times a float by channel, as AIMET writes it in three versions."""
    for version, content in BY_VERSION.items():
        encodings = read({**content, "version": version}, tmp_path)
        encoding = encodings.params["w"]
        assert encoding.quant
        assert encoding.quant.scales == (0.5, 1.5, 3.75, 0.5)
        assert (encoding.dtype, encoding.quant.low, encoding.quant.high) == (DType.QInt8, -8, 7)
        for other, wanted in BY_VERSION.items():
            written = json.loads(encodings_text(encodings, other))
            assert {key: written[key] for key in wanted} == wanted


@pytest.mark.parametrize("version", ["1.0.0", "2.0.0", "2.1.0"])
def test_one_float_for_all_channels(version: str, tmp_path: Path) -> None:
    one = BLOCKS | {"per_channel_float_scale": [[0.5]]}
    encodings = read({"version": "2.0.0", "encodings": [one]}, tmp_path)
    again = read(json.loads(encodings_text(encodings, version)), tmp_path).params["w"]
    assert again.blocks is not None
    assert again.blocks.steps == (0.5, 0.5)
    assert again.quant == encodings.params["w"].quant


def test_blocks_with_floats(tmp_path: Path) -> None:
    entry = {
        **{"name": "w", "output_dtype": "uint4", "axis": 0, "block_size": 4},
        **{"y_scale": [[0.5, 0.25, 1.0]], "y_zero_point": [[8, 7, 0]]},
    }
    encodings = read({"version": "2.0.0", "encodings": [entry]}, tmp_path)
    blocks = encodings.params["w"].blocks
    assert blocks
    assert (blocks.axis, blocks.size, blocks.shape) == (0, 4, (1, 3))
    for version in ("2.0.0", "2.1.0"):
        assert json.loads(encodings_text(encodings, version))["encodings"] == [entry]
    with pytest.raises(HtpError, match=r"'w' in version 0.6.1: has scales of blocks"):
        encodings_text(encodings, "0.6.1")


def of_qdq(**properties: object) -> dict[str, object]:
    entry = {"name": "x", "output_dtype": "uint8", "y_scale": 0.5, **properties}
    return {"version": "2.0.0", "encodings": [entry]}


def test_entries_after_quantize_linear(tmp_path: Path) -> None:
    x = read(of_qdq(y_zero_point=3), tmp_path).activations["x"]
    assert x.dtype is DType.QUInt8
    assert x.quant
    assert (x.quant.scale, x.quant.zero_point) == (0.5, 3)
    bias = read(of_qdq(output_dtype="int32", y_scale=[0.5, 0.25], axis=0), tmp_path).params["x"]
    assert (bias.dtype, bias.quant and bias.quant.scales) == (DType.QInt32, (0.5, 0.25))
    half = {"version": "2.1.0", "encodings": [{"name": "x", "output_dtype": "float16"}]}
    assert read(half, tmp_path).activations["x"] == Encoding(DType.Float16)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (of_qdq(output_dtype="float8e4m3fn"), "its output_dtype is float8e4m3fn; known are int2"),
        (of_qdq(output_dtype="int7"), "has 7 bits; an integer has 2, 4, 8"),
        (of_qdq(y_zero_point=256), "its y_zero_point is 256; it is a whole number from 0 to 255"),
        (of_qdq(output_dtype="int2", y_zero_point=-0.5), "its y_zero_point is -0.5; it is a whole"),
        (of_qdq(y_scale=[[0.5]], axis=0), "its y_scale has 2 dims; give its axis"),
        (of_qdq(y_scale=[0.5, "a"], axis=0), "its y_scale holds what is not a number"),
        (of_qdq(y_scale=[[1.0], 2.0], axis=0), "its y_scale holds what is not a number"),
        (of_qdq(y_scale=[[0.5]], axis=2, block_size=2), "its axis is 2, y_scale has 2 dims"),
        (of_qdq(y_scale={"x": [[0.5]], "x_scale": 1.0}), "that is no whole number above 0"),
        (
            of_qdq(y_scale={"x": [[1, 2]], "x_scale": [[1.0]], "axis": 1, "block_size": 1}),
            "its x_scale is 1x1; x has 1x2 blocks: give one for each",
        ),
        (of_qdq(y_scale={"x": 1, "x_scale": 1, "axis": 0, "block_size": 1}), "has the axis 0"),
        (
            of_qdq(y_scale={"x": [[]], "x_scale": [[]]}, axis=1, block_size=1),
            "that differ; give one",
        ),
        (of_qdq(y_scale=0.0), "its scale is 0; a scale is above 0"),
        (of_qdq(y_scale=[[0.5]], axis=1, block_size=0), "its block_size is 0; a block has 1"),
        ({"version": "3.0.0", "encodings": []}, 'its version "3.0.0" is not known'),
        ({"version": ["2.0.0"], "encodings": []}, 'its version ["2.0.0"] is not known'),
    ],
)
def test_what_later_versions_refuse(content: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(HtpError) as caught:
        read(content, tmp_path)
    assert message in caught.value.faults[0].line()
    assert len(caught.value.lines()) == 2


@pytest.mark.parametrize("version", ["0.6.1", "1.0.0"])
def test_signed_numbers_about_another_than_0_become_unsigned(version: str, tmp_path: Path) -> None:
    numbers = {"y_scale": [0.25, 0.5], "y_zero_point": [-5, 0], "axis": 0}
    encodings = read(of_qdq(output_dtype="int8", **numbers), tmp_path)
    write_encodings(tmp_path / "older.json", encodings, version)
    (older,) = read_encodings(tmp_path / "older.json").params.values()
    assert older.dtype is DType.QUInt8
    assert older.quant is not None
    assert older.quant.zero_points == (123, 128)
    assert older.quant.scales == (0.25, 0.5)


@pytest.mark.parametrize("scale", [[[1, 2], [3, 4]], {"x": [[1, 2], [3, 4]], "x_scale": [2, 3]}])
def test_an_axis_may_count_from_the_end(scale: object, tmp_path: Path) -> None:
    def entry(axis: int, other: int) -> Encodings:
        whole = {**scale, "axis": other} if isinstance(scale, dict) else scale
        return read(of_qdq(output_dtype="int4", y_scale=whole, axis=axis, block_size=8), tmp_path)

    assert entry(-1, -2) == entry(1, 0)
    assert entry(-2, -1) == entry(0, 1)


@pytest.mark.parametrize("factors", [True, False])
def test_blocks_along_the_first_dim_are_behind_one_another_by_channel(
    factors: bool, tmp_path: Path
) -> None:
    scales = [[1, 2], [3, 4], [5, 6]]
    scale = {"x": scales, "x_scale": [0.5, 0.25], "axis": 1} if factors else scales
    content = of_qdq(output_dtype="int4", y_scale=scale, axis=0, block_size=8)
    encodings = read(content, tmp_path)
    (written,) = json.loads(encodings_text(encodings, "1.0.0"))["param_encodings"]
    assert written["per_block_int_scale" if factors else "scale"] == [1, 3, 5, 2, 4, 6]
    write_encodings(tmp_path / "older.json", encodings, "1.0.0")
    (older,) = read_encodings(tmp_path / "older.json").params.values()
    assert older.quant is not None
    steps = [0.5, 1.5, 2.5, 0.5, 1, 1.5] if factors else [1, 3, 5, 2, 4, 6]
    assert [*older.quant.scales] == steps


def test_a_scale_that_is_quantised_in_turn_may_have_blocks_itself(tmp_path: Path) -> None:
    def scale(x_scale: list[list[float]], size: int) -> dict[str, object]:
        nested = {"x": NESTED["y_scale"]["x"], "x_scale": x_scale, "axis": 1, "block_size": size}
        return {"version": "2.1.0", "encodings": [{**NESTED, "y_scale": nested}]}

    one_each = read({"version": "2.1.0", "encodings": [NESTED]}, tmp_path)
    assert read(scale([[0.5], [0.25]], 2), tmp_path) == one_each
    (other,) = read(scale([[0.5, 1], [0.25, 2]], 1), tmp_path).params.values()
    assert other.quant is not None
    assert other.quant.scales == (0.5, 3, 3.75, 4)
