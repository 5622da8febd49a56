"""The converter's graph as value objects, read from its JSON, and the data of static tensors.

Tensors have a type, an encoding and a role, nodes an op type, params and the names of tensors;
weights are elsewhere. Source: public files of the converter, ONNX Runtime's QNN provider.

The archive is a tar with one raw little-endian file for each tensor, `NAME.raw`, as the converter's
documentation says; none was at hand to try.
"""

import mmap
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from graphlib import CycleError
from pathlib import Path
from zlib import crc32

import numpy as np
from xdsl.utils.exceptions import VerifyException

from ....dialects.diagnostics import CHECK_PATH, Fault, HtpError, fail
from ....dialects.spec_of import Array, spec_of_type, type_of
from ....dialects.value import DType, Quant, TensorSpec, integer_bounds
from ....runtime.files.budget import afford
from ....runtime.files.json_object import JsonObject, read_json
from ...importers.graph.order import in_order
from ...importers.support.types import STORED

REMEDY = "give the model_net.json that the converter, ONNX Runtime or LiteRT wrote"

DTYPES = {
    **{0x0008: DType.Int8, 0x0016: DType.Int16, 0x0032: DType.Int32, 0x0064: DType.Int64},
    **{0x0108: DType.UInt8, 0x0116: DType.UInt16, 0x0132: DType.UInt32, 0x0164: DType.UInt64},
    **{0x0216: DType.Float16, 0x0232: DType.Float32, 0x0264: DType.Float64, 0x0508: DType.Bool8},
    **{0x0304: DType.QInt8, 0x0308: DType.QInt8, 0x0316: DType.QInt16, 0x0332: DType.QInt32},
    **{0x0404: DType.QUInt8, 0x0408: DType.QUInt8, 0x0416: DType.QUInt16},
    0x0432: DType.UInt32,
}
"""The dtype by the number of a data type, whose hex digits are its class and its bits."""
_NARROW = {0x0304: (-8, 7), 0x0404: (0, 15)}
"""The range of data types that have fewer bits than the dtype."""
_DEFINED = 1

Param = bool | int | float | str | tuple[int | float, ...]


class NetRole(IntEnum):
    """The role of a tensor: who writes it and who reads it."""

    INPUT = 0
    OUTPUT = 1
    BOTH = 2
    INNER = 3
    STATIC = 4
    ABSENT = 5


@dataclass(frozen=True)
class NetTensor:
    """A tensor; `data` are those of a static one that has them in the file."""

    role: NetRole
    spec: TensorSpec
    data: Array | None = None


@dataclass(frozen=True)
class NetNode:
    """A node: its op type, its params by name, and the names of the tensors around it."""

    name: str
    package: str
    op: str
    params: Mapping[str, Param]
    inputs: Sequence[str]
    outputs: Sequence[str]


@dataclass(frozen=True)
class Net:
    """A graph: tensors by name, nodes in an order that works, and the name of its weights' file."""

    tensors: Mapping[str, NetTensor]
    nodes: Sequence[NetNode]
    weights: str


def read_net(path: str | Path) -> Net:
    """Read the converter's graph; HtpError names the first field that cannot be."""
    content = read_json(path, REMEDY)
    graph = content.inner("graph")
    if not {"tensors", "nodes"} <= graph.fields.keys():
        raise fail(str(path), "holds no graph with tensors and nodes", REMEDY)
    tensors = {name: _tensor(each) for name, each in graph.inner("tensors").objects("tensor")}
    nodes = [_node(name, each) for name, each in graph.inner("nodes").objects("node")]
    for node in nodes:
        for name in (*node.inputs, *node.outputs):
            if name and name not in tensors:
                problem = f"names the tensor '{name}', which is not in the file"
                raise fail(f"{path}: node '{node.name}'", problem, "write the file again")
    _require_one_maker(nodes, tensors, str(path))
    return Net(tensors, _ordered(nodes, str(path)), str(content.fields.get("model.bin") or ""))


def _require_one_maker(
    nodes: Sequence[NetNode], tensors: Mapping[str, NetTensor], path: str
) -> None:
    """Ask that each tensor comes from one node, from outside or from the weights."""
    outside = {NetRole.INPUT: "is an input", NetRole.STATIC: "is static"}
    makers = {n: outside[each.role] for n, each in tensors.items() if each.role in outside}
    for node in nodes:
        for name in filter(None, node.outputs):
            if name in makers:
                problem = f"{makers[name]}, and node '{node.name}' makes it"
                raise fail(f"{path}: tensor '{name}'", problem, "let one of them give it")
            makers[name] = f"comes from node '{node.name}'"


def _ordered(nodes: Sequence[NetNode], path: str) -> list[NetNode]:
    """Sort nodes where the file does not: some tools write them by name."""
    makers = {name: index for index, node in enumerate(nodes) for name in node.outputs if name}
    needs = [{makers[name] for name in node.inputs if name in makers} for node in nodes]
    try:
        return [nodes[index] for index in in_order(needs)]
    except CycleError as error:
        problem = f"its nodes form a cycle through '{nodes[error.args[1][0]].name}'"
        raise fail(path, problem, "let none of them read what follows from it") from error


def _tensor(entry: JsonObject) -> NetTensor:
    """Read a tensor."""
    number = entry.whole("type")
    if number not in set(NetRole):
        raise fail(entry.where, f"'type' is {number}, not 0 to 5", "write the file again")
    if number == NetRole.ABSENT:
        return NetTensor(NetRole.ABSENT, TensorSpec((), DType.Float32))
    spec = _spec(entry)
    data = np.array(_flat(entry.values("data"), entry)) if "data" in entry else None
    return NetTensor(NetRole(number), spec, None if data is None else _stored(data, spec, entry))


def _stored(data: Array, spec: TensorSpec, entry: JsonObject) -> Array:
    """Return the data of a tensor in its dtype and shape."""
    if data.size != spec.elements:
        problem = f"'data' has {data.size} numbers, 'dims' ask for {spec.elements}"
        raise fail(entry.where, problem, "write the file again")
    with np.errstate(all="ignore"):
        return data.astype(spec.dtype.storage).reshape(spec.shape)


def _spec(entry: JsonObject) -> TensorSpec:
    """Read the spec of a tensor."""
    code, dims = entry.whole("data_type"), tuple(entry.wholes("dims"))
    if code not in DTYPES:
        problem = f"'data_type' is {code} ({code:#06x}), which is not known"
        raise fail(entry.where, problem, f"known are {', '.join(map(hex, DTYPES))}")
    if min(dims, default=0) < 0 or len(dims) > 8:
        raise fail(entry.where, f"'dims' are {list(dims)}", "each is 0 or more, and at most 8 are")
    dtype = DTYPES[code]
    quant = _quant(entry.inner("quant_params"), code) if dtype.is_quantized else None
    if dtype.is_quantized and quant is None:
        dtype = STORED[dtype]
    spec = TensorSpec(dims, dtype, quant)
    try:
        return spec_of_type(type_of(spec))
    except VerifyException as error:
        raise fail(entry.where, str(error).strip(), "write the file again") from error


def _quant(params: JsonObject, code: int) -> Quant | None:
    """Read an encoding: of the whole tensor, or along an axis; None where it is not defined.

    The object inside is named after its kind. It has scale and offset, lists of them, or a list of
    objects.
    """
    if params.fields.get("definition", _DEFINED) != _DEFINED:
        return None
    inner = [value for value in params.fields.values() if isinstance(value, dict) and value]
    body = JsonObject(params.where, inner[0] if inner else params.fields)
    if kinds := [key for key in (*params.fields, *body.fields) if "block" in key.lower()]:
        problem = f"has scales of blocks ('{kinds[0]}'), which a graph of integers has no type for"
        raise fail(params.where, problem, "quantise it along an axis, or read the ONNX model")
    pairs = [*_pairs(body)]
    if not pairs:
        return None
    if len(pairs) > 1 and "axis" not in body:
        raise fail(params.where, f"has {len(pairs)} scales and no axis", "only axes are supported")
    low, high = _NARROW.get(code, (None, None))
    if body.fields.get("bitwidth") == 4:
        low, high = _NARROW[code & 0x0F00 | 0x04]
    with np.errstate(over="ignore"):
        scales = tuple(float(np.float32(scale)) for scale, _ in pairs)
    axis = body.whole("axis") if "axis" in body else None
    return Quant(scales, tuple(-offset for _, offset in pairs), axis, low, high)


def _pairs(body: JsonObject) -> Iterator[tuple[float, int]]:
    """Yield scale and offset of each channel; an offset is minus the zero point."""
    lists = [value for value in body.fields.values() if isinstance(value, list)]
    if "scales" in body:
        scales = body.values("scales")
        offsets = body.values("offsets") if "offsets" in body else [0] * len(scales)
        entries: list[object] = [
            {"scale": s, "offset": o} for s, o in zip(scales, offsets, strict=False)
        ]
    else:
        entries = lists[0] if lists else [body.fields] if "scale" in body else []
    for entry in entries:
        each = JsonObject(body.where, entry if isinstance(entry, dict) else {})
        yield each.number("scale"), each.whole("offset", 0)


def _node(name: str, entry: JsonObject) -> NetNode:
    """Read a node."""
    params: dict[str, Param] = {}
    for key, value in entry.inner("scalar_params").objects("param"):
        if len(value.fields) != 1:
            raise fail(entry.where, f"param '{key}' is not one value by type", "write it so")
        ((code, number),) = value.fields.items()
        params[key] = _scalar(number, code, entry)
    for key, value in entry.inner("tensor_params").objects("param"):
        # Between the param and its data there may be the tensor's name.
        holders = [value] if "data" in value else [each for _, each in value.objects("param")]
        params[key] = tuple(n for each in holders[:1] for n in _flat(each.values("data"), each))
    # Each op says it again.
    params.pop("packageName", None)
    names = entry.texts("input_names"), entry.texts("output_names")
    return NetNode(name, entry.text("package", "qti.aisw"), entry.text("type"), params, *names)


def _scalar(value: object, code: str, entry: JsonObject) -> Param:
    """Read a scalar param, whose key is the number of its data type."""
    if isinstance(value, str):
        return value
    dtype = DTYPES.get(int(code)) if code.isdecimal() and len(code) < 6 else None
    if isinstance(value, bool) or dtype is DType.Bool8:
        return bool(value)
    (number,) = _flat(value, entry)
    return float(number) if dtype is not None and dtype.is_float else number


def _flat(values: object, entry: JsonObject) -> list[int | float]:
    """List the numbers of lists inside each other."""
    numbers: list[int | float] = []
    stack = [values]
    while stack:
        if isinstance(value := stack.pop(), list):
            stack.extend(reversed(value))
        elif isinstance(value, int):
            numbers.append(JsonObject(entry.where, {"data": int(value)}).whole("data"))
        else:
            numbers.append(JsonObject(entry.where, {"data": value}).number("data"))
    return numbers


_REMEDY = "give the archive that the converter wrote with the graph, or take it away"


def archive_beside(path: Path, stated: str) -> Path | None:
    """Return the archive of a graph: of the name that it states, or of its own; None without one.

    Only the folder of the graph is looked at.
    """
    names = [stated.replace("\\", "/").rpartition("/")[2], f"{path.stem.removesuffix('_net')}.bin"]
    beside = [path.with_name(name) for name in names if name not in ("", ".", "..")]
    return next((each for each in beside if each.is_file()), None)


def read_archive(path: Path, specs: Mapping[str, TensorSpec]) -> dict[str, Array]:
    """Return views of the data of tensors; HtpError lists those that are absent or do not fit."""
    try:
        with path.open("rb") as file, tarfile.open(fileobj=file, mode="r:") as archive:
            places = {
                Path(member.name).name.removesuffix(".raw"): (member.offset_data, member.size)
                for member in archive
                if member.isreg()
            }
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise fail(str(path), error.strerror or str(error), CHECK_PATH) from error
    except (tarfile.TarError, ValueError) as error:
        raise fail(str(path), "is not a tar archive of raw files", _REMEDY) from error
    arrays, faults = dict[str, Array](), list[Fault]()
    for name, spec in specs.items():
        start, size = places.get(name, (0, -1))
        if size != spec.nbytes or start + size > len(data):
            problem = "is absent" if size < 0 else f"has {size} bytes, not {spec.nbytes}"
            faults.append(Fault(f"{path}: tensor '{name}'", problem, _REMEDY))
            continue
        flat = np.frombuffer(data[start : start + size], spec.dtype.storage.newbyteorder("<"))
        arrays[name] = flat.reshape(spec.shape)
    if faults:
        raise HtpError(*faults)
    return arrays


def random_data(specs: Mapping[str, TensorSpec], where: str) -> dict[str, Array]:
    """Return random data for tensors, the same each time; integers that are not quantised are 0.

    Floats are small, so that sums over thousands of them stay in range.
    """
    afford(where, sum(spec.nbytes for spec in specs.values()))
    return {name: _random(name, spec) for name, spec in specs.items()}


def _random(name: str, spec: TensorSpec) -> Array:
    generator, storage = np.random.default_rng(crc32(name.encode())), spec.dtype.storage
    if spec.dtype.is_float:
        numbers = generator.standard_normal(spec.shape, np.float32)
        return (numbers * np.float32(0.05)).astype(storage)
    if spec.quant is None:
        return np.zeros(spec.shape, storage)
    low, high = integer_bounds(storage)
    if spec.quant.low is not None and spec.quant.high is not None:
        low, high = spec.quant.low, spec.quant.high
    return generator.integers(low, high, spec.shape, storage, endpoint=True)
