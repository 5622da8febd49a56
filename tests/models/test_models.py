"""Models as PyTorch exports them give at every level what ONNX Runtime gives."""

import numpy as np
import pytest
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.onnx import load_onnx
from htp_mlir.lowering.passes.tiling.plan_tiles import collecting_plans
from htp_mlir.lowering.passes.traffic import least_traffic, traffic
from htp_mlir.lowering.quantization import calibrate, noise_ratio, quantize
from htp_mlir.runtime import Session

from ..support.feeds import assert_same
from ..support.paths import ROOT
from .__main__ import row
from .levels import TCM_BYTES, Judged, error, names, path_of

MOST_BYTES = 3 << 20
"""Bytes of all files together, at most."""

CASES = [(name.partition("/")[0], name) for name in names()]


@pytest.mark.one_per("family")
@pytest.mark.parametrize(("family", "name"), CASES)
def test_same_as_onnx_runtime(family: str, name: str) -> None:
    model = Judged(path_of(name))
    for level, errors in model.errors():
        for output, apart in errors.items():
            assert apart <= model.tolerance(output), (level, output)


IN_F16 = [
    (family, name.rpartition(".")[2], name)
    for family, name in CASES
    if not name.rpartition(".")[0].endswith("_f16")
]
COARSE = {"vision/keypoints.dynamo": 45.0}
"""Models that lose more, by their least ratio in dB.

The positions of keypoints are a sum of a Softmax's results in f16, most of which cancel.
"""


@pytest.mark.sampled("family", "exporter")
@pytest.mark.one_per("family")
@pytest.mark.parametrize(("family", "exporter", "name"), IN_F16)
def test_f16_is_near_f32(family: str, exporter: str, name: str) -> None:
    model = Judged(path_of(name))
    halves = lower(model.module, tcm_bytes=TCM_BYTES, floats="f16")
    outputs = Session(halves, check=True).run(model.feeds)
    for output, wanted in model.expected.items():
        if wanted.dtype.kind == "f":
            ratio = noise_ratio(wanted, np.asarray(outputs[output]))
            assert ratio >= COARSE.get(name, 50.0), (output, ratio)


@pytest.mark.one_per
@pytest.mark.parametrize("name", ["vision/resnet.torchscript", "speech/conformer.dynamo"])
def test_f16_moves_half_the_bytes_between_inputs_and_outputs(name: str) -> None:
    model = Judged(path_of(name))
    edges = sum(array.nbytes for array in (*model.feeds.values(), *model.expected.values()))
    plain, halves = (
        traffic(lower(model.module, tcm_bytes=TCM_BYTES, floats=floats)).bytes - edges
        for floats in ("f32", "f16")
    )
    assert halves <= 0.51 * plain


OF_RARE_OPS = [
    *("language/mamba.dynamo", "language/experts.dynamo", "other/graph_messages.torchscript"),
    *("other/autoencoder.torchscript", "other/gan_generator.dynamo", "speech/vocoder.dynamo"),
    *("speech/rnn_bidirectional.dynamo", "vision/inception.dynamo"),
    "vision/style_transfer.dynamo",
]
"""Models of comparisons, choices, scatters, transposed convolutions and unrolled layers."""


@pytest.mark.one_per("activations")
@pytest.mark.parametrize("activations", [None, "u8"])
@pytest.mark.parametrize("name", OF_RARE_OPS)
def test_what_fits_is_moved_once(name: str, activations: str | None) -> None:
    model = Judged(path_of(name))
    module = model.module
    if activations:
        module = quantize(module, calibrate(module, [model.feeds], activations=activations))
    lowered = lower(module, tcm_bytes="8M")
    assert traffic(lowered).bytes <= 1.15 * least_traffic(lowered)
    wanted = Session(module).run(model.feeds)
    assert_same(Session(lowered, check=True).run(model.feeds), wanted)


PLANNED_MORE = {"other/vq_vae.torchscript": "a table that a product and a Gather read"}
"""Models of which a plan reads something twice that is then brought once."""


@pytest.mark.one_per("family")
@pytest.mark.parametrize(("family", "name"), CASES)
def test_what_is_planned_is_moved(family: str, name: str) -> None:
    with collecting_plans() as tables:
        lowered = lower(load_onnx(path_of(name)), tcm_bytes="8M")
    planned, moved = sum(plan.bytes for plan in tables.values()), traffic(lowered).bytes
    assert moved <= planned
    assert planned <= 1.03 * moved or name in PLANNED_MORE


def test_the_set_is_wide_and_small() -> None:
    exporters = [name.rpartition(".")[2] for name in names()]
    assert min(exporters.count(exporter) for exporter in ("torchscript", "dynamo")) >= 30
    assert sum(path_of(name).stat().st_size for name in names()) < MOST_BYTES


def test_files_do_not_say_where_they_were_written() -> None:
    assert [name for name in names() if b".py" in path_of(name).read_bytes()] == []


def test_the_kept_page_has_every_model() -> None:
    lines = (ROOT / "docs" / "models.md").read_text(encoding="utf-8").splitlines()
    kept = [tuple(line.strip("| ").split(" | ")[:2]) for line in lines if "/" in line[:12]]
    titles = [name.rpartition(".") for name in names()]
    assert kept == [(title, exporter) for title, _, exporter in titles]


def test_a_row_says_what_a_model_is() -> None:
    name, exporter, opset, nodes, reached, *errors = row("other/mlp.torchscript")
    assert (name, exporter, opset, nodes) == ("other/mlp", "torchscript", "17", "5")
    assert reached == "allocated"
    assert all(float(text) < 1e-6 for text in errors)


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (np.float32([1, 4]), 0.0),
        (np.float32([1, 3]), 0.25),
        (np.float32([1, np.nan]), np.inf),
        (np.float32([[1, 4]]), np.inf),
        (np.float16([1, 4]), np.inf),
        (None, np.inf),
    ],
)
def test_an_error_is_relative_to_the_largest_number(got: object, expected: float) -> None:
    assert error(got, np.float32([1, 4])) == expected


def test_integers_must_be_equal() -> None:
    model = Judged(path_of("vision/deeplab.torchscript"))
    (output,) = model.expected
    assert model.tolerance(output) == 0
    assert error(model.expected[output] + 1, model.expected[output]) > 0
