"""State: the values that survive from one inference to the next, in memory and in files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...dialects.diagnostics import Fault, HtpError, fail, listed
from ..files.arrays import read_npz, write_npz
from ..functions.support.arrays import Array, DType

_NAMES = "htp.states"


_SAVED = "give a file that save_state wrote for this model"


@dataclass(frozen=True)
class StateSpec:
    """A state's name, shape and storage type."""

    name: str
    shape: tuple[int, ...]
    dtype: DType

    def core(self) -> tuple[tuple[int, ...], DType]:
        """Reduce to what a value must agree in: the shape past its leading dims of 1, the dtype."""
        start = next((i for i, n in enumerate(self.shape) if n != 1), len(self.shape))
        return self.shape[start:], self.dtype

    def text(self) -> str:
        """Shape and dtype for messages."""
        return f"{'x'.join(map(str, self.shape)) or 'scalar'} {self.dtype}"


class StateCell:
    """One state: a committed value, and the one that the run under way has written.

    `written` is false until the first commit and after a reset.
    """

    def __init__(self, spec: StateSpec) -> None:
        self.spec = spec
        self.written = False
        self._value: Array = np.zeros(spec.shape, spec.dtype)
        self._pending: Array = np.zeros(spec.shape, spec.dtype)
        self._dirty = False

    @property
    def value(self) -> Array:
        """The run's own write, else the committed value."""
        return self._pending if self._dirty else self._value

    @property
    def committed(self) -> Array:
        """The value as it was before the run under way."""
        return self._value

    @property
    def readable(self) -> bool:
        """Tell whether there is a value to read."""
        return self.written or self._dirty

    def put(self, value: Array) -> None:
        """Write; it counts once the run is committed."""
        np.copyto(self._pending, value)
        self._dirty = True

    def commit(self) -> None:
        """Make the run's write the state's value."""
        if self._dirty:
            self._value, self._pending = self._pending, self._value
            self.written, self._dirty = True, False

    def discard(self) -> None:
        """Forget what the run wrote."""
        self._dirty = False

    def clear(self) -> None:
        """Back to never written."""
        self.written = self._dirty = False


class StateStore:
    """The states of one session. A run is a transaction: it ends in `commit` or `discard`."""

    def __init__(self, specs: Iterable[StateSpec]) -> None:
        self.cells = {spec.name: StateCell(spec) for spec in specs}

    def commit(self) -> None:
        """Keep what the run wrote."""
        for cell in self.cells.values():
            cell.commit()

    def discard(self) -> None:
        """Leave every state as it was before the run."""
        for cell in self.cells.values():
            cell.discard()

    def clear(self) -> None:
        """Every state as before the first inference."""
        for cell in self.cells.values():
            cell.clear()

    def save(self, path: str | Path) -> None:
        """Write the states that have a value, and the names of all, to an .npz file."""
        values = {name: cell.value for name, cell in self.cells.items() if cell.written}
        write_npz(path, {**values, _NAMES: np.array(list(self.cells), dtype=np.str_)})

    def load(self, path: str | Path) -> None:
        """Take all states from a file that `save` wrote; nothing changes where it does not fit.

        A state that had no value when it was saved has none afterwards. The file may come from
        another level of the model, where shapes have more or fewer leading dims of 1.
        """
        values = dict(read_npz(path))
        names = values.pop(_NAMES, None)
        if names is None:
            raise fail(str(path), "is no file of saved states", "write one with save_state")
        self._check(str(path), [str(name) for name in np.atleast_1d(names)], values)
        self.clear()
        for name, value in values.items():
            cell = self.cells[name]
            cell.put(value.reshape(cell.spec.shape))
        self.commit()

    def _check(self, path: str, names: list[str], values: Mapping[str, Array]) -> None:
        faults = [
            *(
                Fault(path, f"has no state '{name}'", _SAVED)
                for name in self.cells
                if name not in names
            ),
            *(
                Fault(path, f"has a state '{name}'", listed(name, self.cells))
                for name in names
                if name not in self.cells
            ),
            *(
                Fault(
                    path,
                    f"state '{name}' is {spec.text()}, not {self.cells[name].spec.text()}",
                    _SAVED,
                )
                for name, value in values.items()
                if name in self.cells
                and (spec := StateSpec(name, value.shape, value.dtype)).core()
                != self.cells[name].spec.core()
            ),
        ]
        if faults:
            raise HtpError(*faults)
