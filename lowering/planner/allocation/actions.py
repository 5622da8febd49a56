"""Actions of a plan in TCM: buffers enter, leave and come back, and steps run."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Residency:
    """A buffer in TCM for a time; a buffer that comes back gets the next number."""

    name: str
    number: int


@dataclass(frozen=True)
class Alloc:
    """The step that runs next writes a buffer at this offset, onto another one or to free bytes."""

    residency: Residency
    offset: int
    onto: Residency | None = None


@dataclass(frozen=True)
class Spill:
    """The contents of a buffer are saved in DDR, at most once per buffer."""

    residency: Residency
    reason: str


@dataclass(frozen=True)
class Fill:
    """The contents of a buffer come back from DDR, as a new residency."""

    residency: Residency
    offset: int
    reason: str


@dataclass(frozen=True)
class Relocate:
    """The contents of a buffer move within TCM, where they are the next residency."""

    residency: Residency
    offset: int
    reason: str


@dataclass(frozen=True)
class RunStep:
    """A step runs; it reads these residencies, and what was saved of these buffers."""

    step: int
    reads: tuple[Residency, ...]
    saved: tuple[str, ...] = ()


Action = Alloc | Spill | Fill | Relocate | RunStep
