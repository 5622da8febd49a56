"""The models of the memory benchmark: built at the graph level, with seeded random weights."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from htp_mlir.lowering import load_module
from xdsl.dialects.builtin import ModuleOp

from models.sequence import lstm, transformer
from models.vision import mobilenet, resnet, unet

SPOTTER = Path(__file__).parents[3] / "docs/examples/keyword_spotter/model.onnx"


def keyword_spotter() -> ModuleOp:
    """The model of the example: block ops with state, convolutions, attention."""
    return load_module(SPOTTER)


@dataclass(frozen=True)
class Model:
    """A model at its full size, and in a size that runs in seconds."""

    title: str
    full: Callable[[], ModuleOp]
    small: Callable[[], ModuleOp]


MODELS: dict[str, Model] = {
    "spotter": Model("keyword spotter", keyword_spotter, keyword_spotter),
    "mobilenet": Model("MobileNetV2, 224x224", mobilenet, lambda: mobilenet(64)),
    "resnet": Model("ResNet-50, 224x224", resnet, lambda: resnet(64)),
    "unet": Model("U-Net, 224x224", unet, lambda: unet(64, 8)),
    "encoder-128": Model(
        "encoder, 12 layers, 128 tokens", transformer, lambda: transformer(128, 2, 192, 3)
    ),
    "encoder-512": Model(
        "encoder, 12 layers, 512 tokens",
        lambda: transformer(512),
        lambda: transformer(512, 1, 192, 3),
    ),
    "lstm": Model("LSTM, 3 layers of 512, 64 steps", lstm, lambda: lstm(16)),
}
"""Every model by the name that `--only` takes."""
