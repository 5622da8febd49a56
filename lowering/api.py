"""Loading and lowering from Python; what they need is imported when they are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..dialects.faults.arguments import (
    CONSTANTS,
    DIMS,
    FUNCTION,
    MODULE,
    PATH,
    SIZE,
    TEXT,
    TEXTS,
    WHOLE,
    arguments,
    of_class,
    size_of,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from xdsl.dialects.builtin import ModuleOp

    from .packages import Packages
    from .passes.lower import Watcher

_LOADING = "give those of load_packages()"
PACKAGES = of_class("packages", f"{__package__}.packages.packages", "Packages", _LOADING)
"""The kind of an argument that is the op packages in use."""


@arguments(path=PATH, dims=DIMS, constants=CONSTANTS, packages=PACKAGES, resources=PATH)
def load_module(
    path: str | Path,
    *,
    dims: Mapping[str, int] | None = None,
    constants: Mapping[str, ArrayLike] | None = None,
    packages: Packages | None = None,
    resources: str | Path | None = None,
) -> ModuleOp:
    """Return the module in a file: `.mlir` text of any level, or what an installed frontend reads.

    `dims` fixes the symbolic dims of a model by name, `constants` its inputs, by numbers, lists or
    arrays; `packages` are those whose ops text and
    models may hold, without them the installed ones; `resources` is the file with the large
    constants of a text that is elsewhere than the text says. Raises HtpError for a file that is
    missing, damaged or of an unknown kind, and for every op that the frontend cannot import.
    """
    from ..runtime.tools.loading import load_module as load

    ctx = None if packages is None else packages.context()
    return load(path, dims=dims, constants=constants, ctx=ctx, resources=resources)


@arguments(
    module=MODULE,
    soc=TEXT,
    tcm_bytes=SIZE,
    level=TEXT,
    options=TEXT,
    watch=FUNCTION,
    packages=PACKAGES,
    before=TEXTS,
    after=TEXTS,
    floats=TEXT,
    tiles=PATH,
)
def lower(
    module: ModuleOp,
    *,
    soc: str = "SM8650",
    tcm_bytes: int | str | None = None,
    level: str = "allocated",
    options: str = "",
    watch: Watcher | None = None,
    packages: Packages | None = None,
    allow_reference: bool = False,
    tiling: bool = True,
    floats: str = "f32",
    before: str | Sequence[str] = (),
    after: str | Sequence[str] = (),
    tiles: str | Path = "",
) -> ModuleOp:
    """Return a new module, lowered from the graph level for a SoC; the given one stays unchanged.

    `tcm_bytes`, a number or a text such as `2M`, overrides the SoC's TCM size, `level` is `native`,
    `placed` or `allocated`, `options` are graph options for the rules (`name=value` joined by `;`),
    `watch` is called after each pass, `packages` are the op packages, or else those installed,
    `allow_reference` lets ops that no kernel takes as their tensor properties want run on their
    reference kernels, without `tiling` no op is cut. An op that does not fit the TCM runs from main
    memory; one of a package, and any where the TCM holds not even a chunk, only with
    `allow_reference` or without `tiling`. With `floats="f16"` f32 inside is computed in f16.
    `before` and `after` put passes of yours at points: `after="htp-fold:my-pass"` behind each
    `htp-fold`, `before="htp-fold#2:my-pass"` before the second, `after="native:[cse,my-pass]"`
    behind a level. `tiles` has a tile plan: the JSON of `--save-tiles`, or lines `a: H=8`.
    Raises HtpError for an unknown SoC, level, point or pass, for ops without a native form, for
    ops on reference kernels and ops too large for the TCM where these are not allowed.
    """
    from .packages.loading import installed
    from .passes.lower import Lower, lower_module

    lowered = module.clone()
    size = None if tcm_bytes is None else size_of("lower", "argument 'tcm_bytes'", tcm_bytes)
    points = _several(before), _several(after)
    config = Lower(soc, size, level, options, allow_reference, tiling, floats, *points, str(tiles))
    lower_module((packages or installed()).context(), lowered, config, watch)
    return lowered


def _several(texts: str | Sequence[str]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)


@arguments(module=MODULE, path=PATH, external=SIZE, opset=WHOLE)
def save_onnx(
    module: ModuleOp,
    path: str | Path,
    *,
    external: int | str = "1G",
    encodings: str | Path | None = None,
    opset: int | None = None,
) -> str:
    """Write a graph-level module as an ONNX file; return a line that says what changed.

    Of a module that `load_module`, `load_onnx` or `import_model` made of an ONNX model, that model
    is edited: its nodes, names and metadata stay wherever the module still says the same. Any other
    module becomes a new model, of an `opset`, by default 21. Each block op is a node of `qti_aisw`
    with its body as a function. Weights of more than `external` bytes together go into a file
    beside it, `path` with `.data` behind. With `encodings` no node quantises: the model is one of
    floats, and that file gets the encodings of its tensors, version 2.0.0. Raises HtpError with
    each op that ONNX cannot say, and writes nothing then.
    """
    from ..runtime.files.atomic import write_files
    from .interop.targets import saved_onnx

    result = saved_onnx(module, floats=encodings is not None, opset=opset)
    size = size_of("save_onnx", "external", external)
    write_files(result.files(Path(path), size, encodings=encodings or ""))
    return str(result)
