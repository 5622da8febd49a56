"""The texts of a corpus: of each op at each level, and those that are written by hand."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.base import NativeOp
from htp_mlir.dialects.htp.ops.copies import CopyOp, CopyWaitOp, ReasonedOp, StartOp
from htp_mlir.dialects.place_attr import PlaceAttr
from htp_mlir.dialects.qti_aisw import GRAPH_OPS, QTI_AISW, ConstOp, CustomOp
from htp_mlir.dialects.spec_of import spec_of, type_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import FLAT_DDR, LAYOUTS, Memory, Place, TensorSpec
from htp_mlir.lowering import lower
from htp_mlir.runtime import save_module
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..lowering.conversion.cases import CASES
from ..support.examples import example_of
from ..support.examples import module_of as example_module
from ..support.roundtrip import parse, to_text
from .folders import SEPARATOR
from .sampling import Feature, Sample, module_of, samples

WRITTEN = Path(__file__).parent / "written"
RESOURCES = "resources.mlir"
LEVELS = ("graph", "native", "placed", "allocated")


def corpus() -> dict[str, bytes]:
    """Make the texts of this version by file name: the pretty form, then the generic one."""
    by_op: dict[str, list[Sample]] = {}
    seen: dict[str, set[Feature]] = {}
    for sample in (*_examples(), *_cases()):
        features = seen.setdefault(sample.op.name, set())
        if sample.features - features:
            by_op.setdefault(sample.op.name, []).append(sample)
            features |= sample.features
    modules = {name: module_of(taken) for name, taken in by_op.items()}
    modules |= {path.stem: parse(path.read_text()) for path in sorted(WRITTEN.glob("*.mlir"))}
    modules |= {"types": _types(), **_model()}
    texts = {f"{name}.mlir": both_forms(module) for name, module in sorted(modules.items())}
    return {name: text.encode() for name, text in texts.items()} | _resources()


def _resources() -> dict[str, bytes]:
    """Return a text with its large constants in a file beside it, and the file."""
    with TemporaryDirectory() as folder:
        text, data = Path(folder, "resources.text.mlir"), Path(folder, "resources.safetensors")
        module = parse((WRITTEN / RESOURCES).read_text())
        save_module(module, text, resources=data, above=4)
        return {path.name: path.read_bytes() for path in (text, data)}


def specs() -> list[TensorSpec]:
    """List a tensor of every dtype, and one in every place that its dtype allows."""
    plain = [TensorSpec((2, 3), dtype) for dtype in DType if not dtype.is_quantized]
    at = ((Memory.DDR, None), (Memory.TCM, None), (Memory.TCM, 4096))
    return plain + [
        TensorSpec((1, 8, 8, 32), _OF_SIZE[size], place=Place(layout, memory, offset))
        for layout, size in LAYOUTS
        for memory, offset in at
    ]


_OF_SIZE = {1: DType.Int8, 2: DType.Float16, 4: DType.Float32, 8: DType.Int64}


def _types() -> ModuleOp:
    """Return a module whose function takes all these tensors."""
    return ModuleOp([FuncOp.external("types", list(map(type_of, specs())), [])])


def _model() -> dict[str, ModuleOp]:
    """Return a small model with a state at every level."""
    graph = parse((WRITTEN / "model.mlir").read_text())
    return {f"model.{level}": lower(graph, level=level) for level in LEVELS[1:]}


def both_forms(module: ModuleOp) -> str:
    """Print a module in its pretty and in its generic form."""
    return SEPARATOR.join([to_text(module), to_text(module, generic=True)])


def _examples() -> Iterator[Sample]:
    """Yield the op of each docstring; native ones also with places, and with kernels."""
    for op in (*GRAPH_OPS.values(), ConstOp, CustomOp, *NATIVE_OPS.values()):
        for level in levels_of(op):
            yield _at(level, _sample(level, op))


def levels_of(op: type[Operation]) -> tuple[str, ...]:
    """Return the levels that an op may be at."""
    if op.name.startswith(f"{QTI_AISW.name}."):
        return LEVELS[:1]
    if issubclass(op, ReasonedOp | StartOp | CopyWaitOp):
        return LEVELS[3:]
    return LEVELS[2:] if issubclass(op, CopyOp) else LEVELS[1:]


def _sample(level: str, op_type: type[Operation]) -> Sample:
    module = parse(example_module(example_of(op_type)))
    return Sample(level, next(op for op in module.walk() if isinstance(op, op_type)))


def _at(level: str, sample: Sample) -> Sample:
    """Give the tensors of an op flat places, and the op a kernel, as its level asks."""
    if level in ("placed", "allocated"):
        for value in (*sample.op.operands, *sample.op.results):
            _place(value)
    if level == "allocated" and isinstance(sample.op, NativeOp):
        sample.op.properties.setdefault("kernel", StringAttr("reference"))
    sample.op.verify()
    return sample


def _place(value: SSAValue) -> None:
    if isinstance(value.type, TensorType) and not isinstance(value.type.encoding, PlaceAttr):
        value._type = type_of(spec_of(value).with_place(FLAT_DDR))


def _cases() -> Iterator[Sample]:
    """Yield the ops of the conversion tests' models at every level."""
    for make in CASES.values():
        graph = make().module
        for level in LEVELS:
            module = graph if level == "graph" else lower(graph, level=level)
            yield from samples(level, module)
