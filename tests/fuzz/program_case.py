"""Damaged files of `torch.export.save` on their way into the graph: loaded, or refused in words."""

import json
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_STORED, ZipFile

from htp_mlir.lowering.frontend.pt2 import load_pt2

from .file_cases import damaged

Members = dict[str, bytes]
_VALUES = (None, True, -1, 0, 2**63, 1e30, "", "x", "s77", "9**9**9", [], {}, [[]], {"as_int": 3})


@cache
def _whole() -> Members:
    """The members of a program with weights, a buffer, a constant and a symbolic size."""
    import torch

    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Conv2d(1, 2, 3)
            self.register_buffer("shift", torch.ones(2, 1, 1))

        def forward(self, x: Any) -> dict[str, Any]:
            y = self.layer(x).relu() + self.shift * torch.tensor([2.0])
            return {"y": y.reshape(x.shape[0], -1), "z": torch.topk(y, 2)[0].sum(1)}

    rows = torch.export.Dim("rows")
    program = torch.export.export(
        Model().eval(), (torch.ones(2, 1, 6, 6),), dynamic_shapes={"x": {0: rows}}
    )
    torch.export.save(program, stream := BytesIO())
    with ZipFile(stream) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def program_of(seed: int) -> bytes:
    """Return a damaged program: its archive, the bytes of a member, or values of its JSON."""
    random = Random(f"programs {seed}")
    members = dict(_whole())
    name = random.choice([*members, *[key for key in members if key.endswith(".json")] * 2])
    if name.endswith(".json") and random.random() < 0.7:
        members[name] = _changed(random, members[name])
    elif random.random() < 0.7:
        members[name] = damaged(random, members[name])
    elif random.random() < 0.5:
        del members[name]
    with ZipFile(stream := BytesIO(), "w", ZIP_STORED) as archive:
        for key, data in members.items():
            archive.writestr(key, data)
    return damaged(random, stream.getvalue()) if random.random() < 0.1 else stream.getvalue()


def _changed(random: Random, text: bytes) -> bytes:
    """Change one to three values of a JSON text: another value, one from elsewhere, or none."""
    content = json.loads(text)
    for _ in range(random.randint(1, 3)):
        if not (places := list(_places(content))):
            break
        (holder, key), (other, its) = random.choice(places), random.choice(places)
        match random.randrange(3):
            case 0:
                holder[key] = random.choice(_VALUES)
            case 1:
                holder[key] = json.loads(json.dumps(other[its]))
            case _:
                del holder[key]
    return json.dumps(content).encode()


def _places(part: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each place of a value in lists and objects, at any depth."""
    pairs = part.items() if isinstance(part, dict) else enumerate(part)
    for key, value in list(pairs):
        yield part, key
        if isinstance(value, list | dict):
            yield from _places(value)


def programs_case(seed: int) -> None:
    """Load the program of a seed."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.pt2"
        path.write_bytes(program_of(seed))
        load_pt2(path, dims={"x:0": 2})
