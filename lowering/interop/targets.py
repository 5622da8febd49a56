"""The target `onnx`, and those that upstream's mlir-opt reads: irdl, pdl and their modules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ...dialects.diagnostics import fail
from ..frontend.onnx import require_onnx
from ..packages.loading import packages_of
from .irdl.definitions import irdl_text
from .irdl.module import irdl_module_text
from .pdl import pdl_module_text, rules_text

if TYPE_CHECKING:
    from .onnx.save import Saved


def saved_onnx(module: ModuleOp, *, floats: bool = False, opset: int | None = None) -> Saved:
    """Return the ONNX model of a graph-level module; HtpError where onnx is not installed."""
    require_onnx()
    from .onnx.save import saved

    return saved(module, floats=floats, opset=opset)


@dataclass(frozen=True)
class OnnxTarget(Target):
    """The graph as an ONNX model: that which it came from, edited, or a new one.

    With `-o FILE.onnx` the model, else its text as onnx prints it. A block op is a node of
    `qti_aisw` with its body as a function; a line on standard error says what changed. With
    `encodings` the model is one of floats, and the file of this name gets the encodings. A new
    model has `opset`, by default 21. Weights of more than `external` bytes together go into
    `FILE.onnx.data`.

    Example: `htp-opt plain.onnx -p 'qti-raise-block-ops{reset=reset}' -t onnx -o blocks.onnx`
    """

    name = "onnx"

    encodings: str = ""
    opset: int | None = None
    external: int | str = "1G"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        if self.encodings:
            raise fail("-t onnx", "its encodings go with a file", "give -o FILE.onnx")
        model = saved_onnx(module, opset=self.opset).model
        from onnx.printer import to_text

        output.write(to_text(model) + "\n")


@dataclass(frozen=True)
class IrdlTarget(Target):
    """Write the dialects in use as IRDL definitions. The module has no part in it.

    Example: `htp-opt -t irdl -o htp.irdl.mlir`
    """

    name = "irdl"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(irdl_text(packages_of(ctx)))


@dataclass(frozen=True)
class IrdlModuleTarget(Target):
    """Write the module as the IRDL definitions know it.

    Example: `htp-opt model.onnx -t irdl-module | mlir-opt --irdl-file=htp.irdl.mlir`
    """

    name = "irdl-module"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(irdl_module_text(module))


@dataclass(frozen=True)
class PdlTarget(Target):
    """Write rules as patterns in PDL. The module has no part in it.

    `rules` are names or FILE:LINE of rules, all rules in use without them. The first lines of the
    text say how many are left out and why. Where PDL can say none of a name, that is an error.

    Example: `htp-opt -t 'pdl{rules=ReluMinMax,Slice_shape}'`
    """

    name = "pdl"

    rules: tuple[str, ...] = ()

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(rules_text(packages_of(ctx), self.rules))


@dataclass(frozen=True)
class PdlModuleTarget(Target):
    """Write rules and the module as `mlir-opt --test-pdl-bytecode-pass` wants them.

    That is a module `@patterns` and a module `@ir`, in the generic form. `rules` as for `pdl`.

    Example: `htp-opt model.mlir -t pdl-module |
    mlir-opt --allow-unregistered-dialect --test-pdl-bytecode-pass`
    """

    name = "pdl-module"

    rules: tuple[str, ...] = ()

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(pdl_module_text(module, rules_text(packages_of(ctx), self.rules)))
