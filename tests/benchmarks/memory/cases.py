"""The cases of the memory benchmark beside its rows, by part."""

from collections.abc import Callable, Iterator
from functools import partial

from models import MODELS, device, vision
from models.drawn import drawn
from models.grids import on_grids
from models.images import residual_tower, upscaler
from models.tiny import tiny
from xdsl.dialects.builtin import ModuleOp

from .figures import Case

MIB = 1 << 20
U8_SIZES = (8, 4, 2)
START_SIZES = (8, 4, 2, 1, 0.5)

DEVICE: tuple[tuple[str, Callable[[], ModuleOp], int], ...] = (
    ("ResNet-18, 224x224, u8", lambda: on_grids(device.resnet18()), 11_974_656 + 65_536),
    ("ResNet-50, 224x224, u8", lambda: on_grids(vision.resnet(softmax=False)), 25_950_208 + 65_536),
    ("VGG-16, 224x224, u8", lambda: on_grids(device.vgg16()), 138_715_136 + 65_536),
    ("attention, 16 heads, 512x128, f16", device.attention, 33_550_000),
    ("image block, 512x512, u8", lambda: on_grids(device.image_block()), 52_660_224),
)
"""Titles, graphs, and the bytes that a device's profiler counted, read and written."""

U8: tuple[tuple[str, Callable[[], ModuleOp]], ...] = (
    *((MODELS[name].title, MODELS[name].full) for name in ("mobilenet", "resnet", "unet")),
    ("encoder, 12 layers, 128 tokens", MODELS["encoder-128"].full),
    ("U-Net, 512x512", lambda: vision.unet(512)),
    ("FSRCNN, 560x960", upscaler),
    ("residual tower, 256x256", residual_tower),
)


def cases(part: str, count: int, first: int) -> Iterator[Case]:
    """List the cases of a part; of the drawn ones `count` from seed `first` on."""
    yield from PARTS[part](range(first, first + count))


def _u8(_seeds: range) -> Iterator[Case]:
    for title, model in U8:
        for mib in U8_SIZES:
            yield Case("u8", f"{title}, u8", mib * MIB, partial(_on_grids, model))


def _on_grids(model: Callable[[], ModuleOp]) -> ModuleOp:
    return on_grids(model())


def _device(_seeds: range) -> Iterator[Case]:
    for title, model, counted in DEVICE:
        yield Case("device", title, 8 * MIB, model, counted)


def _start(_seeds: range) -> Iterator[Case]:
    for mib in START_SIZES:
        yield Case("vgg", "VGG-19, first five convolutions", int(mib * MIB), device.vgg_start)


def _random(seeds: range) -> Iterator[Case]:
    for seed in seeds:
        network = drawn(seed)
        title = f"seed {seed}, {network.family}, {network.dtype}"
        yield Case("random", title, network.tcm, network.module.clone)


def _tiny(seeds: range) -> Iterator[Case]:
    for seed in seeds:
        module, tcm = tiny(seed)
        yield Case("tiny", f"seed {seed}", tcm, module.clone, is_tiny=True)


PARTS: dict[str, Callable[[range], Iterator[Case]]] = {
    "u8": _u8,
    "device": _device,
    "vgg": _start,
    "random": _random,
    "tiny": _tiny,
}
"""Every part by the name that `--only` takes."""
