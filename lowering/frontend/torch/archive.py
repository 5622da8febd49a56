"""Files of `torch.export.save`, read so that nothing in them is executed.

PyTorch itself unpickles the sample inputs, weights that are marked so, and objects; it evaluates
the sizes of symbolic dims, and looks up functions by any path below `torch`. Here the sample inputs
are not read, and a file with any of the others is refused before PyTorch sees it.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from torch._export.serde import schema
from torch._export.serde.serialize import ExportedProgramDeserializer, _bytes_to_dataclass
from torch.export import ExportedProgram
from torch.export.pt2_archive import _package as package
from torch.export.pt2_archive import constants
from torch.utils._sympy import functions

from ....dialects.diagnostics import Fault, HtpError
from ....runtime.files.budget import afford

_MODEL = "model"
"""The name that `torch.export.save` gives its one program."""
_TARGET = re.compile(
    r"torch\.ops\.(?!_)\w+\.(?!__)\w+(\.(?!__)\w+)?|_operator\.[a-z]\w*|torch\.sym_\w+|math\.[a-z]\w*"
)
"""The functions that a node may call."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_QUOTED = re.compile(r"'(?:[a-z]+\d+|[\d.e+-]+)'")
"""A symbol, or the digits of a number."""
_SQUARE = re.compile(r"Pow\(Symbol\('[a-z]+\d+'[\w=, ]*\), Integer\([1-4]\)\)")
"""A power that is small: others may take for ever to be worked out."""
_BASIC = "Abs Add And Eq Float Ge Gt Integer Le Lt Max Min Mod Mul Ne Not Or Rational Symbol floor"
_ASSUMED = "True False integer negative nonnegative positive precision real"
_POWERS = {"FloatPow", "LShift", "PowByNatural"}
_KNOWN = {*functions.__all__, *_BASIC.split(), *_ASSUMED.split()} - _POWERS
_SIZE = re.compile(r"[\w\s()+*/%,.<>=&|~-]{1,2000}", re.ASCII)


def load_program(path: str) -> ExportedProgram:
    """Return the program of a file; HtpError where reading it would execute something."""
    with ZipFile(path) as archive:
        members = sum(member.file_size for member in archive.infolist())
    afford(path, members, Path(path).stat().st_size)
    reader = package.PT2ArchiveReader(path)
    name = constants.MODELS_FILENAME_FORMAT.format(_MODEL)
    program = reader.read_bytes(name)
    faults = [*_payload_faults(reader), *_graph_faults(json.loads(program))]
    if faults:
        raise HtpError(*(Fault(path, *fault) for fault in dict.fromkeys(faults)))
    weights = package._load_state_dict(reader, _MODEL)
    others = package._load_constants(reader, _MODEL)
    # By a stride of 0 a tensor has more elements than the file.
    stored = [
        (each.nbytes, each.untyped_storage().nbytes())
        for each in (*weights.values(), *others.values())
    ]
    afford(path, sum(max(0, taken - own) for taken, own in stored))
    loaded = ExportedProgramDeserializer(None).deserialize(
        _bytes_to_dataclass(schema.ExportedProgram, program), weights, others, b""
    )
    if loaded.module_call_graph[0].signature is None:
        raise ValueError("the program has no signature")
    return loaded


def _payload_faults(reader: Any) -> Iterator[tuple[str, str]]:
    """Yield the tensors and objects that PyTorch would unpickle."""
    remedy = "write it by torch.export.save with plain tensors, by this version of PyTorch"
    for folder, file in (
        (constants.WEIGHTS_DIR, constants.WEIGHTS_CONFIG_FILENAME_FORMAT),
        (constants.CONSTANTS_DIR, constants.CONSTANTS_CONFIG_FILENAME_FORMAT),
    ):
        if f"{folder}{_MODEL}.pt" in reader.get_file_names():
            yield f"'{folder}{_MODEL}.pt' is a pickle, which can execute code", remedy
            continue
        config = json.loads(reader.read_bytes(file.format(_MODEL)))["config"]
        for tensor, payload in config.items():
            of_tensor = constants.WEIGHT_FILENAME_PREFIX, constants.TENSOR_CONSTANT_FILENAME_PREFIX
            if payload["use_pickle"] or not payload["path_name"].startswith(of_tensor):
                yield f"'{tensor}' is a pickle, which can execute code", remedy


def _graph_faults(part: Any) -> Iterator[tuple[str, str]]:
    """Yield the functions and sizes that are none of a program's, at any depth."""
    if isinstance(part, list):
        for each in part:
            yield from _graph_faults(each)
    if not isinstance(part, dict):
        return
    target, size = part.get("target") if "inputs" in part else None, part.get("expr_str")
    if target is not None and not _TARGET.fullmatch(str(target)):
        yield f"calls '{str(target)[:60]}', which is no op", "export the program again"
    if size is not None and not _is_size(str(size)):
        yield f"has the size '{str(size)[:60]}', which is no formula", "export the program again"
    for each in part.values():
        yield from _graph_faults(each)


def _is_size(text: str) -> bool:
    """Tell whether a text is a formula of symbols, numbers and functions of sizes."""
    plain = _QUOTED.sub("", _SQUARE.sub("", text))
    names = _NAME.findall(plain)
    is_plain = "**" not in plain and (not plain or _SIZE.fullmatch(plain) is not None)
    return is_plain and all(name in _KNOWN for name in names)
