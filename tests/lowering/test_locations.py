"""Every op of every level comes from nodes of the model, or places of the text, and says which."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from io import StringIO
from pathlib import Path

import onnx
import pytest
from htp_mlir.dialects.htp.ops.const import ShapeOp
from htp_mlir.dialects.locations import origins_of
from htp_mlir.dialects.text.constant import Constant
from htp_mlir.dialects.text.parser import ModuleParser
from htp_mlir.dialects.text.printer import ModulePrinter
from htp_mlir.lowering import load_module, lower
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.packages.loading import installed, load_packages
from xdsl.context import Context
from xdsl.dialects.builtin import FusedLoc, LocationAttr, ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination
from xdsl.transforms.dead_code_elimination import DeadCodeElimination

from ..support.paths import EXAMPLES, SPOTTER, SPOTTER_MODEL
from ..support.roundtrip import context, parse, upstream

MODELS = Path(__file__).parents[1] / "models" / "onnx"
WALKED = (
    SPOTTER_MODEL,
    MODELS / "language" / "llama.dynamo.onnx",
    MODELS / "vision" / "unet_resize.torchscript.onnx",
)
SMALL_TCM = 64 << 10
"""Bytes of a TCM in which the models are tiled, spill and fill."""


def demanding(module: ModuleOp) -> Iterator[Operation]:
    """The ops that must have an origin: all but constants, which the compiler may make."""
    return (op for op in module.walk() if not isinstance(op, Constant | ShapeOp))


def nodes_in(path: Path) -> set[str]:
    graph = onnx.load(path, load_external_data=False).graph
    return {graph.name, *(node.name or node.output[0] for node in graph.node)}


@pytest.mark.slow
@pytest.mark.parametrize("path", WALKED, ids=lambda path: path.stem)
def test_after_every_pass_each_op_comes_from_nodes_of_the_model(path: Path) -> None:
    known, strange = nodes_in(path), []

    def look(step: ModulePass | None, module: ModuleOp) -> None:
        for op in demanding(module):
            nodes = {origin.node for origin in origins_of(op)}
            if not nodes or not nodes <= known:
                strange.append((step.name if step else "import", op.name, nodes))

    module = load_module(path)
    look(None, module)
    lowered = lower(module, tcm_bytes=SMALL_TCM, watch=look)
    assert not strange
    assert any(isinstance(op.location, FusedLoc) for op in lowered.walk())


@pytest.mark.slow
def test_the_nodes_that_compute_are_all_found_in_the_lowered_spotter() -> None:
    lowered = lower(load_module(SPOTTER_MODEL), tcm_bytes=SMALL_TCM)
    told = {origin.node for op in lowered.walk() for origin in origins_of(op)}
    # These change no element: nothing is left of them.
    assert nodes_in(SPOTTER_MODEL) - told == {
        "node_permute",
        "node_transpose",
        "node_view_3",
    }


def test_ops_of_text_have_their_lines_at_the_allocated_level() -> None:
    path = EXAMPLES / "max_pool_package" / "model.mlir"
    for op in demanding(lower(load_module(path))):
        assert {origin.position.rpartition(".mlir:")[0] for origin in origins_of(op)} == {
            str(path).removesuffix(".mlir")
        }


@pytest.mark.one_per
@pytest.mark.parametrize(
    "step", [CommonSubexpressionElimination(), CanonicalizePass(), DeadCodeElimination()]
)
def test_passes_of_xdsl_keep_locations(step: ModulePass) -> None:
    for module in (load_module(SPOTTER_MODEL), lowered("native", SPOTTER_MODEL)):
        copy = module.clone()
        step.apply(context(), copy)
        assert all(origins_of(op) for op in demanding(copy))


def test_of_equal_ops_cse_keeps_the_first_with_its_location() -> None:
    module = parse(
        """
        func.func @main(%x: tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> {
          %0 = htp.Relu(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> loc("a")
          %1 = htp.Relu(%x) : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> loc("b")
          %2 = htp.Add(%0, %1)
            : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32> loc("c")
          func.return %2 : tensor<1x1x1x4xf32>
        }
        """
    )
    CommonSubexpressionElimination().apply(Context(), module)
    origins = [str(*origins_of(op)) for op in module.walk() if op.name.startswith("htp.")]
    assert origins == ["'a'", "'c'"]


LEVELS = ("graph", "native", "placed", "allocated")
PACKAGES = ("attention", "swish", "max_pool")
ROUND_TRIPPED = {
    "spotter": SPOTTER_MODEL,
    "stateless": SPOTTER / "stateless.onnx",
    **{name: EXAMPLES / f"{name}_package" / "model.mlir" for name in PACKAGES},
}


def locations(module: ModuleOp) -> list[LocationAttr]:
    """Where each op is from."""
    return [op.location for op in module.walk()]


def read_locations(text: str, path: Path) -> list[LocationAttr]:
    """The locations in a text of a model of ours."""
    return locations(ModuleParser(packages_of(path).context(), text).parse_module())


@pytest.mark.one_per("level")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ROUND_TRIPPED)
def test_locations_survive_text(name: str, level: str) -> None:
    path = ROUND_TRIPPED[name]
    module = lowered(level, path)
    for generic in (False, True):
        assert read_locations(printed(module, generic), path) == locations(module)


@pytest.mark.needs("mlir-opt")
@pytest.mark.one_per("level")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ROUND_TRIPPED)
def test_locations_survive_upstream(name: str, level: str) -> None:
    path = ROUND_TRIPPED[name]
    module = lowered(level, path)
    flags = ("--mlir-print-debuginfo", "--mlir-print-local-scope", "--mlir-print-op-generic")
    text = upstream(printed(module, generic=True), *flags)
    assert read_locations(text, path) == locations(module)


def test_what_many_ops_share_is_written_once() -> None:
    module = lowered("allocated", SPOTTER_MODEL)
    shared = Counter(op.location for op in module.walk() if isinstance(op.location, FusedLoc))
    text = printed(module, generic=False)
    assert {count for count in shared.values() if count > 1}
    for number, (location, count) in enumerate(shared.items(), start=1):
        assert text.count(str(location)) == 1
        assert text.count(f"loc(#loc{number})") == (count if count > 1 else 0)
    # The text reads back to as many objects as there are locations.
    again = ModuleParser(installed().context(), text).parse_module()
    locations = [op.location for op in again.walk() if isinstance(op.location, FusedLoc)]
    assert len({id(location) for location in locations}) == len(set(locations))


def printed(module: ModuleOp, generic: bool) -> str:
    """A module as text, with its locations."""
    stream = StringIO()
    printer = ModulePrinter(stream, print_generic_format=generic, print_debuginfo=True)
    printer.print_module(module)
    return stream.getvalue() + "\n"


@cache
def packages_of(path: Path) -> Packages:
    """The packages for a model: the installed ones, and the one that stands beside it."""
    package = path.with_name("package.py")
    return load_packages(package) if package.exists() else installed()


@cache
def lowered(level: str, path: Path) -> ModuleOp:
    """A model at a level, in a TCM where it has tiles."""
    packages = packages_of(path)
    module = load_module(path, packages=packages)
    if level == "graph":
        return module
    return lower(module, level=level, tcm_bytes=4 * SMALL_TCM, packages=packages)
