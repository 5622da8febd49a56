"""Files of encodings: the JSON that quantisation tools exchange, in its two forms.

Form 0.6.1 maps a tensor's name to a list of dictionaries, one for each channel; form 1.0.0 is a
list of dictionaries with a name and lists of scales and offsets. Keys stand in alphabetical order;
what others may write beside the encodings is passed over. In both, real = (q + offset) *
scale with q from 0 to 2^bits - 1; a symmetric grid is signed, its offset is 0 or -2^(bits - 1).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from ....dialects.diagnostics import (
    CHECK_PATH,
    Fault,
    HtpError,
    fail,
)
from ....dialects.faults.arguments import PATH, TEXT, arguments
from ....runtime.files.atomic import write_bytes
from ..encodings import ENCODINGS, Encoding, Encodings
from . import by_list, by_map
from .entries import BITS, BadEntry

Section = Callable[[object], Iterator[tuple[str, object]]]
Reader = Callable[[object], Encoding]
Writer = Callable[[Mapping[str, Encoding]], object]
Form = tuple[Section, Reader, Writer]

FORMS: dict[str, Form] = {
    "0.6.1": (by_map.entries, by_map.read, by_map.write),
    "1.0.0": (by_list.entries, by_list.read, by_list.write),
}
"""The forms by version: how a section is divided, and an entry read and written."""

_SECTIONS = ("activation_encodings", "param_encodings")
_REMEDY = "give a JSON file with activation_encodings and param_encodings"


@arguments(path=PATH)
def read_encodings(path: str | Path) -> Encodings:
    """Read a file of encodings of either form; HtpError lists all that is wrong in it."""
    encodings, faults = read_entries(path)
    if faults:
        raise HtpError(*faults)
    return encodings


def read_entries(path: str | Path) -> tuple[Encodings, list[Fault]]:
    """Read the encodings of a file that can be read, and list the faults of the others.

    HtpError where the file holds none.
    """
    try:
        content = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise fail(str(path), error.strerror or str(error), CHECK_PATH) from error
    except (ValueError, RecursionError) as error:
        raise fail(str(path), "is no JSON", _REMEDY) from error
    if not isinstance(content, dict) or not any(name in content for name in _SECTIONS):
        raise fail(str(path), "holds no encodings", _REMEDY)
    form, faults = FORMS[_version(path, content)], list[Fault]()
    sections = [_section(form, content.get(name), f"{path}: {name}", faults) for name in _SECTIONS]
    return Encodings(*sections), faults


def _section(form: Form, section: object, where: str, faults: list[Fault]) -> dict[str, Encoding]:
    """Return the encodings of a section; add what is wrong to the faults."""
    divide, read, _ = form
    encodings: dict[str, Encoding] = {}
    try:
        entries = list(divide(section))
    except BadEntry as bad:
        faults.append(Fault(where, *bad.args))
        return {}
    for name, entry in entries:
        try:
            if name in encodings:
                raise BadEntry("is there twice", "leave one out")
            encodings[name] = read(entry)
        except BadEntry as bad:
            faults.append(Fault(f"{where} '{name}'", *bad.args))
    return encodings


@arguments(path=PATH, encodings=ENCODINGS, version=TEXT)
def write_encodings(path: str | Path, encodings: Encodings, version: str = "1.0.0") -> None:
    """Write a file of encodings in the form of this version."""
    write_bytes(path, encodings_text(encodings, version).encode())


def encodings_text(encodings: Encodings, version: str = "1.0.0") -> str:
    """Return the JSON text of encodings; HtpError for a version that is not in FORMS."""
    if version not in FORMS:
        raise fail(f"version '{version}'", "is not known", f"known are {', '.join(FORMS)}")
    write = FORMS[version][2]
    content = {
        "activation_encodings": write(encodings.activations),
        "excluded_layers": [],
        "param_encodings": write(encodings.params),
        "quantizer_args": _summary(encodings),
        "version": version,
    }
    return json.dumps(content, indent=4, sort_keys=True) + "\n"


def _summary(encodings: Encodings) -> dict[str, object]:
    """Return what most of the integer encodings have in common, which readers may pass over."""
    params = [each for each in encodings.params.values() if each.quant]
    activations = [each for each in encodings.activations.values() if each.quant]
    widths = {
        name: Counter(BITS[each.dtype] for each in part).most_common(1)[0][0]
        for name, part in {"activation_bitwidth": activations, "param_bitwidth": params}.items()
        if part
    }
    return {
        **widths,
        "dtype": "int",
        "is_symmetric": bool(params) and all(each.is_symmetric for each in params),
        "per_channel_quantization": any(e.quant and e.quant.axis is not None for e in params),
    }


def _version(path: str | Path, content: Mapping[str, object]) -> str:
    """Return the version that a file states, else the one whose sections it has."""
    version = content.get("version")
    if version is None:
        lists = any(isinstance(content.get(section), list) for section in _SECTIONS)
        return "1.0.0" if lists else "0.6.1"
    if version not in FORMS:
        known = f"known are {', '.join(FORMS)}"
        raise fail(str(path), f"its version {json.dumps(version)[:40]} is not known", known)
    return str(version)
