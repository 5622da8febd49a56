"""The SoCs: Hexagon version and TCM size of each.

Source: Qualcomm AI Engine Direct documentation, supported devices.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ..dialects.diagnostics import fail, listed
from ..runtime.installed.plugins import loaded, optional

MIB = 1 << 20
GROUP = "htp_mlir.socs"
"""Entry points of this group are a `Soc`, or several."""


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
"""The SoCs of the table, by name."""


def soc(name: str) -> Soc:
    """Return the SoC of this name, in any case of letters; HtpError for an unknown name."""
    known = installed_socs()
    if name.upper() in known:
        return known[name.upper()]
    raise fail(f"soc '{name}'", "is not known", listed(name, sorted(known)))


@cache
def installed_socs() -> dict[str, Soc]:
    """Return the SoCs of the table and those of plugins, by name; one whose name is taken goes."""
    known = dict(SOCS)
    for each in loaded(GROUP, _socs):
        with optional(each.plugin):
            for name in (own.name.upper() for own in each.value):
                if name in known:
                    raise fail(f"soc '{name}'", "is known already", "rename it")
            known |= {own.name.upper(): own for own in each.value}
    return known


def _socs(_: str, value: object) -> tuple[Soc, ...]:
    rows = tuple(value) if isinstance(value, Iterable) else (value,)
    for row in rows:
        if not isinstance(row, Soc):
            raise fail("its value", f"{row!r} is no Soc", "name a Soc, or several")
        if not row.name or row.tcm_bytes < 1:
            problem = f"has the name '{row.name}' and {row.tcm_bytes} bytes of TCM"
            raise fail("a Soc", problem, "give a name, and bytes above 0")
    return tuple(row for row in rows if isinstance(row, Soc))


def check_tcm_options(where: str, tcm_bytes: int, alignment: int = 1) -> None:
    """Raise HtpError for a TCM size or an alignment below 1 byte, or beyond an attribute's."""
    for name, number in (("alignment", alignment), ("tcm-bytes", tcm_bytes)):
        if not 1 <= number < 2**63:
            raise fail(where, f"{name} is {number}", "give a number of bytes from 1 to 2^63 - 1")
