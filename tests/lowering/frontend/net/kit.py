"""Graphs as the converter writes them, put together by hand."""

import io
import json
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

F16, F32, U8, I8, I32, U32, BOOL = 0x0216, 0x0232, 0x0408, 0x0308, 0x0032, 0x0132, 0x0508
BIAS = 0x0332
INPUT, OUTPUT, INNER, STATIC, ABSENT = 0, 1, 3, 4, 5
UNDEFINED = {"definition": 2147483647, "encoding": 2147483647}


def scale_offset(scale: float, offset: int) -> dict[str, Any]:
    return {"definition": 1, "encoding": 0, "scale_offset": {"scale": scale, "offset": offset}}


def along(axis: int, scales: Sequence[float]) -> dict[str, Any]:
    """An encoding along an axis."""
    pairs = [{"scale": scale, "offset": 0} for scale in scales]
    body = {"axis": axis, "num_scale_offsets": len(pairs), "scale_offsets": pairs}
    return {"definition": 1, "encoding": 1, "axis_scale_offset": body}


class NetFile:
    """A graph under construction; `text` is the JSON."""

    def __init__(self) -> None:
        self.tensors: dict[str, Any] = {}
        self.nodes: dict[str, Any] = {}

    def tensor(
        self, name: str, dims: Sequence[int], role: int = INNER, type_: int = F32, quant: Any = None
    ) -> str:
        self.tensors[name] = {
            "id": len(self.tensors),
            "type": role,
            "dataFormat": 0,
            "data_type": type_,
            "axis_format": "NHWC",
            "src_axis_format": "NCHW",
            "quant_params": quant or UNDEFINED,
            "dims": list(dims),
        }
        return name

    def node(
        self,
        name: str,
        op: str,
        inputs: str,
        outputs: str,
        scalars: Mapping[str, tuple[int, Any]] | None = None,
        package: str = "qti.aisw",
        **lists: Any,
    ) -> None:
        """Add a node; a list param is i32 data between the name of a tensor and its own."""
        self.nodes[name] = {
            "package": package,
            "type": op,
            "tensor_params": {
                key: {f"{name}_{key}": {"data_type": U32, "dims": [], "data": value}}
                for key, value in lists.items()
            },
            "scalar_params": {
                "packageName": {"1025": package},
                **{key: {str(code): value} for key, (code, value) in (scalars or {}).items()},
            },
            "input_names": inputs.split(),
            "output_names": outputs.split(),
            "macs_per_inference": "",
        }

    def text(self) -> str:
        graph = {"tensors": self.tensors, "nodes": self.nodes}
        head = {"model.cpp": "net.cpp", "model.bin": "weights/net.bin", "op_types": []}
        return json.dumps({**head, "graph": graph})

    def save(self, folder: Path, weights: Mapping[str, NDArray[Any]] | None = None) -> Path:
        """Write the graph, and the archive of weights where there are some."""
        path = folder / "net_net.json"
        path.write_text(self.text())
        if weights is not None:
            (folder / "net.bin").write_bytes(archive(weights))
        return path


def archive(weights: Mapping[str, NDArray[Any]]) -> bytes:
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode="w") as file:
        for name, array in weights.items():
            member = tarfile.TarInfo(f"{name}.raw")
            data = np.ascontiguousarray(array).tobytes()
            member.size = len(data)
            file.addfile(member, io.BytesIO(data))
    return memory.getvalue()


def one_op(
    op: str,
    shapes: Sequence[Sequence[int]],
    result: Sequence[int],
    scalars: Mapping[str, tuple[int, Any]] | None = None,
    types: tuple[int, int] = (F32, F32),
    quants: tuple[Any, Any] = (None, None),
    **lists: Any,
) -> NetFile:
    """A graph of one op with the inputs a, b, ... and the output y."""
    net = NetFile()
    names = [
        net.tensor("abc"[i], shape, INPUT, types[0], quants[0]) for i, shape in enumerate(shapes)
    ]
    net.tensor("y", result, OUTPUT, types[1], quants[1])
    net.node("op", op, " ".join(names), "y", scalars, **lists)
    return net
