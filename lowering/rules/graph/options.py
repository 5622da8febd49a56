"""The graph options that rules read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from ....dialects.diagnostics import fail
from ....dialects.suggestions import listed
from .types import Number

OptionValue = bool | int | float | str
DEFAULT_TCM = 8 * 1024 * 1024
RELAXED = "relaxed_precision_flag"
"""The option by which floats may be computed as halves."""
_OFF = ("", "0", "false", "off", "no")


@dataclass(frozen=True)
class GraphOptions:
    """Named numbers that steer rules; sizes in bytes.

    `tcm_size_for_tiling` is half of `tcm_size` unless given. `extra` holds further options by name.
    """

    tcm_size: int = DEFAULT_TCM
    tcm_size_for_tiling: int = -1
    tile_height: int = 8
    autothread_hvx_ntiles: int = 4
    autothread_hmx_ntiles: int = 4
    relaxed_precision_flag: bool = False
    extra: Mapping[str, OptionValue] = field(default_factory=dict[str, OptionValue])

    def __post_init__(self) -> None:
        if self.tcm_size_for_tiling < 0:
            object.__setattr__(self, "tcm_size_for_tiling", self.tcm_size // 2)
        for name in ("tile_height", "autothread_hvx_ntiles", "autothread_hmx_ntiles"):
            if self.values()[name] < 1:
                problem = f"{self.values()[name]} is not >= 1"
                raise fail(f"graph option {name}", problem, "give a number from 1 on")

    def values(self) -> dict[str, Number]:
        """Return every option as a number, by name; a string reads as 0 or 1."""
        own = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "extra"}
        return {name: _number(value) for name, value in {**own, **self.extra}.items()}

    def value(self, name: str) -> Number:
        """Return one option; HtpError where no option has this name."""
        if name in self.extra:
            return _number(self.extra[name])
        if name == "extra" or name not in _NAMES:
            known = f"{listed(name, self.values())}; set it as an extra"
            raise fail(f"graph option '{name}'", "unknown", known)
        number: Number = getattr(self, name)
        return number

    def is_on(self, name: str) -> bool:
        """Test that the option exists and is not 0."""
        return (name in self.extra or name in _NAMES) and bool(self.value(name))


_NAMES = frozenset(f.name for f in fields(GraphOptions)) - {"extra"}


def _number(value: OptionValue) -> Number:
    return int(value.lower() not in _OFF) if isinstance(value, str) else value
