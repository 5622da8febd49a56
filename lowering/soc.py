"""The SoCs: Hexagon version and TCM size of each.

Source: Qualcomm AI Engine Direct documentation, supported devices.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..dialects.diagnostics import fail
from ..dialects.suggestions import listed

MIB = 1 << 20


@dataclass(frozen=True)
class Soc:
    """A system on chip: its name, the version of its Hexagon processor, TCM in bytes."""

    name: str
    arch: str
    tcm_bytes: int


_TABLE: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    ("V68", 2, ("QCM6490",)),
    ("V68", 4, ("SM8350",)),
    ("V68", 8, ("SA8295",)),
    ("V69", 8, ("SM8450", "SM8475", "SXR2230P")),
    ("V73", 2, ("SSG2115P", "SSG2125P", "SXR1230P")),
    ("V73", 8, ("SM8550", "SA8255", "QCS9100")),
    ("V75", 8, ("SM8650",)),
    ("V79", 8, ("SM8750", "SXR2330P")),
    ("V81", 4, ("SAR2230P", "SW6100")),
    ("V81", 8, ("SM8850", "SM8845")),
    ("V81", 16, ("SA8797",)),
)

SOCS: dict[str, Soc] = {
    name: Soc(name, arch, mebibytes * MIB) for arch, mebibytes, names in _TABLE for name in names
}


def soc(name: str) -> Soc:
    """Return the SoC of this name, in any case of letters; HtpError for an unknown name."""
    if name.upper() in SOCS:
        return SOCS[name.upper()]
    raise fail(f"soc '{name}'", "is not known", listed(name, sorted(SOCS)))


def check_tcm_options(where: str, tcm_bytes: int, alignment: int = 1) -> None:
    """Raise HtpError for a TCM size or an alignment below 1 byte."""
    for name, number in (("alignment", alignment), ("tcm-bytes", tcm_bytes)):
        if number < 1:
            raise fail(where, f"{name} is {number}", "give a number of bytes, at least 1")
