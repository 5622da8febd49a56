"""Files of encodings: both forms written and read, and all that is wrong in one told at once."""

from __future__ import annotations

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
from htp_mlir.lowering.quantization.files import FORMS, encodings_text

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
    old, new = (json.loads(encodings_text(x, version)) for version in FORMS)
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
    for version in FORMS:
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
        (of_map(bitwidth=4, scale=0.5, offset=0), "has 4 bits; an integer has 8, 16 or"),
        (of_map(bitwidth=32, scale=0.5, offset=0), "has 32 bits; an integer has 8, 16 or"),
        (of_map(dtype="float", bitwidth=8), "is a float of 8 bits; a float has 16 or 32"),
        (of_map(dtype="text"), "its dtype is text; it is int or float"),
        ({"activation_encodings": {"x": []}}, "is no list of encodings"),
        ({"activation_encodings": 3}, "is no map from names to encodings"),
        (of_list(enc_type="PER_BLOCK"), "supported are PER_TENSOR and PER_CHANNEL"),
        (of_list(scale=[0.5, 0.5], offset=[0, 0]), "has 2 scales per tensor"),
        (of_list(offset=[0, 0]), "has 1 scales and 2 offsets"),
        (of_list(scale=0.5), "has no lists of scales and offsets"),
        (of_list(name=None), "'number 0': has no name"),
        ({"version": "2", "param_encodings": []}, 'its version "2" is not known'),
        ([], "holds no encodings"),
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
