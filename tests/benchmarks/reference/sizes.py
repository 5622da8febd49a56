"""Bytes of parts of tensors in TCM and on the way, for the two variants of the op set."""

from dataclasses import dataclass

from .graph import Tensor

CHUNK = 2048
"""Bytes: buffers in TCM are multiples of it."""
ROWS, CHANNELS, AREA = 8, 32, 2048
"""Rows, channels and bytes of a crouton."""


def round_up(value: int, step: int) -> int:
    """Return the next multiple of a step."""
    return -(-value // step) * step


@dataclass(frozen=True)
class Rules:
    """A variant of the op set.

    With `croutons` (variant P): tiles of whole crouton rows, padded in TCM and on the way unless
    the tensor is an input or output of the model; what a window reads is copied together into a
    tensor of its own first. Without (variant F): flat data, any number of rows, no copies.
    `call` is the price of a kernel call in bytes.
    """

    croutons: bool = True
    call: int = 16384

    def grain(self, tensor: Tensor) -> int:
        """Rows in which the tensor is cut."""
        return ROWS if self.croutons and tensor.has_croutons else 1

    def column_grain(self, tensor: Tensor) -> int:
        """Columns in which the tensor is cut."""
        padded = self.croutons and tensor.has_croutons
        return AREA // (ROWS * CHANNELS * tensor.itemsize) if padded else 1

    def reads_in_place(self, result: Tensor) -> bool:
        """Tell whether a kernel reads its weights in main memory: those of flat data do."""
        return self.croutons and not result.has_croutons

    @property
    def block(self) -> int:
        """Output channels of a block of weights."""
        return CHANNELS if self.croutons else 8

    def _padded(self, tensor: Tensor, rows: int, columns: int, channels: int) -> int:
        rows = round_up(rows, self.grain(tensor))
        columns = round_up(columns, self.column_grain(tensor))
        wide = self.croutons and tensor.has_croutons
        return rows * columns * round_up(channels, CHANNELS if wide else 1) * tensor.itemsize

    def held(self, tensor: Tensor, rows: int, columns: int, channels: int | None = None) -> int:
        """Count the bytes of a part of one image in TCM."""
        depth = tensor.channels if channels is None else channels
        return round_up(self._padded(tensor, rows, columns, depth), CHUNK)

    def whole(self, tensor: Tensor) -> int:
        """Count the bytes of all of a tensor in TCM."""
        return tensor.images * self.held(tensor, tensor.rows, tensor.columns)

    def moved(self, tensor: Tensor, rows: int, columns: int, channels: int | None = None) -> int:
        """Count the bytes that a part of one image moves between the memories."""
        depth = tensor.channels if channels is None else channels
        if tensor.is_boundary:
            return rows * columns * depth * tensor.itemsize
        return self._padded(tensor, rows, columns, depth)

    def moved_row(self, tensor: Tensor, columns: int) -> int:
        """Count the bytes of one row of a part that is fetched for a window."""
        grain = self.grain(tensor)
        return self.moved(tensor, grain, columns) // grain

    def all_moved(self, tensor: Tensor) -> int:
        """Count the bytes that all of a tensor moves."""
        return tensor.images * self.moved(tensor, tensor.rows, tensor.columns)
