"""Damaged files on their way through their readers: archives, tensors, plans, journals."""

import json
import re
from collections.abc import Callable
from contextlib import redirect_stderr
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import numpy as np
from htp_mlir.dialects.diagnostics import HtpError, fail
from htp_mlir.dialects.value.dtypes import DType, Quant
from htp_mlir.dialects.value.spec import TensorSpec
from htp_mlir.lowering.frontend.net import load_net
from htp_mlir.lowering.packages import OpPackage, load_package
from htp_mlir.lowering.packages.def_package.op_xml import read_definitions, write_definitions
from htp_mlir.lowering.quantization.encodings import Blocks, Encoding, Encodings, grid, symmetric
from htp_mlir.lowering.quantization.encodings.files import FORMS, encodings_text, read_encodings
from htp_mlir.lowering.report.measured import read_measured
from htp_mlir.lowering.rules.graph.param_order import Param, ParamOrder
from htp_mlir.lowering.sweep.cases import Outcome, Status
from htp_mlir.lowering.sweep.sweep import journal_at
from htp_mlir.runtime.files.arrays import read_input_list, read_npy, read_npz, write_npz
from htp_mlir.runtime.files.safetensors import StoredTensor, encode, map_tensors
from htp_mlir.runtime.memory_plan.plan import (
    PlanRow,
    parse_plan,
    plan_faults,
    plan_of_rows,
    plan_text,
    read_plan,
)

from ..lowering.frontend.net.kit import I8, U8, U32, along, one_op, scale_offset
from ..support.paths import EXAMPLES
from . import structures
from .cases import Case

SWISH = EXAMPLES / "swish_package" / "package.py"
Mutation = Callable[[Random, bytearray], None]
_NUMBER = re.compile(rb"\d+")
_NUMBERS = (b"-1", b"0", b"1e9", b"4.5", b"2147483648", b"9" * 40, b"null", b'"a"', b"true", b"")


def damaged(random: Random, data: bytes) -> bytes:
    """Return data after one to four mutations."""
    changed = bytearray(data)
    for _ in range(random.randint(1, 4)):
        random.choice(_MUTATIONS)(random, changed)
    return bytes(changed)


def _flip(random: Random, data: bytearray) -> None:
    for _ in range(random.choice((1, 1, 4, 32))):
        if data:
            data[random.randrange(len(data))] = random.choice((0, 255, random.randrange(256)))


def _cut(random: Random, data: bytearray) -> None:
    del data[random.randrange(len(data) + 1) :]


def _move(random: Random, data: bytearray) -> None:
    start, length = random.randrange(len(data) + 1), random.randrange(64)
    piece = bytes(data[start : start + length])
    if random.random() < 0.5:
        del data[start : start + length]
    at = random.randrange(len(data) + 1)
    data[at:at] = piece


def _count(random: Random, data: bytearray) -> None:
    if numbers := list(_NUMBER.finditer(bytes(data))):
        data[slice(*random.choice(numbers).span())] = random.choice(_NUMBERS)


_MUTATIONS: tuple[Mutation, ...] = (_flip, _cut, _move, _count, _count)


@cache
def _archive(method: int, dims: tuple[int, ...]) -> bytes:
    memory = BytesIO()
    with ZipFile(memory, "w", method) as archive, archive.open("x.npy", "w") as stream:
        np.lib.format.write_array(stream, np.zeros(dims, np.float32))
    return memory.getvalue()


def arrays_of(seed: int) -> bytes:
    """Return a damaged archive of arrays; its members are damaged, too, before it is packed."""
    random = Random(f"arrays {seed}")
    if random.random() < 0.5:
        return structures.arrays_of(random)
    method = random.choice(structures.METHODS)
    dims = random.choice(((), (3,), (2, 5), (64, 64)))
    if random.random() < 0.5:
        return damaged(random, _archive(method, dims))
    memory = BytesIO()
    np.save(memory, np.zeros(dims, random.choice((np.float32, np.bool_, np.int64))))
    member, packed = damaged(random, memory.getvalue()), BytesIO()
    with ZipFile(packed, "w", method) as archive:
        archive.writestr("x.npy", member)
    return random.choice((member, packed.getvalue()))


def tensors_of(seed: int) -> bytes:
    """Return a damaged file of tensors."""
    random = Random(f"tensors {seed}")
    if random.random() < 0.5:
        return structures.tensors_of(random)
    stored = {"a": ("F32", (4, 2), 32), "b": ("I8", (3,), 3), "c": ("F16", (), 2)}
    parts = encode({k: StoredTensor(d, s, bytes(n)) for k, (d, s, n) in stored.items()})
    return damaged(random, b"".join(map(bytes, parts)))


def plan_of(seed: int) -> bytes:
    """Return a damaged plan."""
    random = Random(f"plans {seed}")
    if random.random() < 0.5:
        return structures.plan_of(random)
    rows = [
        PlanRow(f"t{i}", random.randrange(4096), i, i + random.randrange(9), 2048 * i)
        for i in range(random.randrange(12))
    ]
    return damaged(random, plan_text(plan_of_rows(rows, 1 << 20, 2048)).encode())


def journal_of(seed: int) -> bytes:
    """Return a damaged journal of a sweep."""
    random = Random(f"journals {seed}")
    outcome = json.loads(Outcome(random.choice([*Status]), {"bytes": 3}).text())
    entries = [{"key": f"{n:016x}", "outcome": outcome} for n in range(random.randrange(5))]
    text = "".join(f"{json.dumps(entry)}\n" for entry in entries)
    if random.random() < 0.5:
        return b"".join(structures.json_of(random, line) + b"\n" for line in text.splitlines())
    return damaged(random, text.encode())


@cache
def _net() -> str:
    net = one_op("Relu", [(1, 4)], (1, 4), types=(U8, U8), quants=(scale_offset(0.5, -3),) * 2)
    net.tensor("w", (2, 4), 4, I8, along(0, [0.5, 0.25]))
    net.tensor("z", (1, 2), 1, U8, scale_offset(0.5, 0))
    net.node("fc", "FullyConnected", "y w", "z")
    net.node("cut", "StridedSlice", "a", "b", {"end_mask": (U32, 1)}, ranges=[[0, 1, 1], [0, 2, 1]])
    net.tensor("b", (1, 2), 1, U8, scale_offset(0.5, -3))
    return net.text()


def net_of(seed: int) -> bytes:
    """Return a damaged graph of the converter's."""
    random, text = Random(f"nets {seed}"), _net()
    return structures.json_of(random, text) if seed % 2 else damaged(random, text.encode())


def summary_of(seed: int) -> bytes:
    """Return a damaged summary of the profiler's."""
    random = Random(f"summaries {seed}")
    row = {"qnn_op": "op", "cycles": 3, "num_htp_ops": 2, "dram_read": 4096}
    kinds = [{"op": "q::Relu", "instances": 2, "dram_write": 2048}]
    tables = {
        "htp_overall_summary": {"data": [{"total_dram_read": 4096, "peak_vtcm_alloc": 8}]},
        "qnn_op_instances_nodes": {"data": [row] * random.randrange(3)},
        "htp_op_types": {"data": kinds},
        "htp_op_instances": {"data": [{"htp_op": "q::Relu", "qnn_op": "op"}]},
    }
    text = json.dumps({"type_code": "QHAS", "data": tables})
    return structures.json_of(random, text) if seed % 2 else damaged(random, text.encode())


def encodings_of(seed: int) -> bytes:
    """Return a damaged file of encodings, of any version."""
    random, two = Random(f"encodings {seed}"), Quant((0.5, 0.25), (0, 0), None, -8, 7)
    blocks = Encoding(DType.QInt8, two, Blocks(1, 2, (1, 2), (2, 1), (0.25,)))
    version = random.choice([*FORMS])
    params = {"w": symmetric([1.0, 2.5], DType.QInt8, 0)}
    params |= {} if version == "0.6.1" else {"v": blocks}
    encodings = Encodings({"x": grid(-1, 3, DType.QUInt8), "h": Encoding(DType.Float16)}, params)
    text = encodings_text(encodings, version)
    return structures.json_of(random, text) if seed % 2 else damaged(random, text.encode())


@cache
def _swish() -> OpPackage:
    return load_package(SWISH)


def definitions_of(seed: int) -> bytes:
    """Return damaged definitions of ops."""
    random, package = Random(f"definitions {seed}"), _swish()
    order = ParamOrder("Swish", (Param("axes", default=(1, 2)), Param("scale", default=2.0)))
    text = write_definitions(package.name, package.ops, [order])
    return structures.xml_of(random, text) if seed % 2 else damaged(random, text.encode())


def list_of(seed: int) -> bytes:
    """Return a damaged list of raw files; one that it names is there."""
    return damaged(Random(f"lists {seed}"), b"#y\nx:=list.txt\nx:=list.txt\n")


def _read_list(path: Path) -> None:
    read_input_list(path, {"x": TensorSpec((path.stat().st_size,), DType.UInt8)})


def _by(content: Callable[[int], bytes], name: str, read: Callable[[Path], object]) -> Case:
    """Make the case that writes the file of a seed and reads it."""

    def case(seed: int) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_bytes(content(seed))
            read(path)

    return case


def _read_arrays(path: Path) -> None:
    """Read as both formats, refused where both refuse; what is taken is written and read again."""
    try:
        arrays = read_npz(path)
    except HtpError:
        arrays = {"x": read_npy(path)}
    write_npz(path, arrays)
    again = read_npz(path)
    assert {k: a.tobytes() for k, a in again.items()} == {k: a.tobytes() for k, a in arrays.items()}


def _read_tensors(path: Path) -> None:
    tensors = map_tensors(path).tensors
    path.with_suffix(".again").write_bytes(b"".join(encode(tensors)))
    assert map_tensors(path.with_suffix(".again")).tensors == tensors


def _read_plan(path: Path) -> None:
    plan = read_plan(path)
    assert parse_plan(plan_text(plan), path.name) == plan
    if faults := plan_faults(plan):
        raise fail(path.name, faults[0], "make the plan again")


def _read_encodings(path: Path) -> None:
    encodings = read_encodings(path)
    path.write_text(encodings_text(encodings, "2.1.0"))
    again = read_encodings(path)
    both = (encodings.activations | encodings.params, again.activations | again.params)
    assert both[0] == both[1], both


def _read_journal(path: Path) -> None:
    with journal_at(path):
        pass


def _read_definitions(path: Path) -> None:
    """Read the definitions as a package; what is taken is written and read again."""
    with redirect_stderr(StringIO()):
        package = load_package(path)
    read = read_definitions(path)
    text = write_definitions(package.name, package.ops, package.param_orders, [read.root])
    path.write_text(text, "utf-8")
    assert read_definitions(path).ops == read.ops


arrays_case = _by(arrays_of, "x.npz", _read_arrays)
tensors_case = _by(tensors_of, "x.safetensors", _read_tensors)
plans_case = _by(plan_of, "x.csv", _read_plan)
summaries_case = _by(summary_of, "summary.json", read_measured)
encodings_case = _by(encodings_of, "e.json", _read_encodings)
definitions_case = _by(definitions_of, "ops.xml", _read_definitions)
lists_case = _by(list_of, "list.txt", _read_list)
nets_case = _by(net_of, "net.json", load_net)
journals_case = _by(journal_of, "x.jsonl", _read_journal)
