"""The block op Buffer as a module, and its result where it blocks. Source: QAIRT block op."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from ....dialects.diagnostics import fail
from ....dialects.qti_aisw.choices import BufferMode
from .ops import block, is_traced
from .stateful import RESET, Stateful


class Blocked(Tensor):
    """A tensor that is not there yet: every function of it, and of other tensors, is blocked too.

    So a model runs through while a BLOCKING Buffer fills: layers, functions and methods pass it on,
    and modules with state that are given it keep their state. To ask for its numbers is an error.
    """

    @classmethod
    def __torch_function__(
        cls,
        func: object,
        types: Sequence[type],
        args: Sequence[object] = (),
        kwargs: Mapping[str, object] | None = None,
    ) -> Tensor:
        return BLOCKED

    def __repr__(self, *, tensor_contents: object = None) -> str:
        return "BLOCKED"


BLOCKED = torch.empty(0).as_subclass(Blocked)
"""The result of a Buffer in the mode BLOCKING until it is full."""


def is_blocked(*values: object) -> bool:
    """Tell whether one of the values is not there yet."""
    return any(isinstance(value, Blocked) for value in values)


class Buffer(Stateful):
    """Gathers rows of its input along `buffer_dim` from call to call, the newest last.

    All of `buffer_size`, `stride` and `buffer_padding` count rows. A call drops the oldest `stride`
    rows where the buffer is full, then appends those of the input; at first, and after a reset, it
    holds `buffer_padding` rows of zeros. Until it is full, NON_BLOCKING_LEFT fills the result from
    the front, NON_BLOCKING_RIGHT from the end until it was full once, and BLOCKING, which the
    tensor processor does not have, gives BLOCKED.

    The input has any rank; the result its shape, with `buffer_size` rows. HtpError where the sizes
    do not go together.
    """

    def __init__(
        self,
        buffer_size: int,
        buffer_dim: int,
        *,
        mode: BufferMode | str = BufferMode.BLOCKING,
        stride: int = 1,
        buffer_padding: int = 0,
    ) -> None:
        super().__init__("content", "was_full")
        self.buffer_size, self.buffer_dim = buffer_size, buffer_dim
        self.stride, self.buffer_padding = stride, buffer_padding
        self.mode = BufferMode(mode)

    def forward(self, inp: Tensor, reset: Tensor | bool | None = None) -> Tensor:
        """Append the rows of the input; return the content, or BLOCKED."""
        reset = RESET.get() if reset is None else reset
        if is_blocked(inp, reset):
            return BLOCKED
        if is_traced():
            return block("Buffer", (inp, reset), self._attributes())[0]
        self._check(inp)
        content, was_full = self.content, self.was_full
        if self._is_fresh(reset):
            content, was_full = self._zeros(inp, self.buffer_padding), torch.tensor(False)
        rows = content.shape[self.buffer_dim]
        if rows == self.buffer_size:
            content = content.narrow(self.buffer_dim, self.stride, rows - self.stride)
        content = torch.cat([content, inp], self.buffer_dim)
        missing = self.buffer_size - content.shape[self.buffer_dim]
        self._keep(content, was_full | torch.tensor(missing == 0))
        if missing and self.mode is BufferMode.BLOCKING:
            return BLOCKED
        at_end = self.mode is BufferMode.NON_BLOCKING_RIGHT and not was_full
        parts = [content, self._zeros(inp, missing)]
        return torch.cat(parts[::-1] if at_end else parts, self.buffer_dim)

    def extra_repr(self) -> str:
        attributes = {**self._attributes(), "mode": str(self.mode)}
        return ", ".join(f"{name}={value}" for name, value in attributes.items())

    def _attributes(self) -> dict[str, int]:
        return {
            "buffer_size": self.buffer_size,
            "buffer_dim": self.buffer_dim,
            "buffer_padding": self.buffer_padding,
            "stride": self.stride,
            "mode": self.mode.code,
        }

    def _zeros(self, inp: Tensor, rows: int) -> Tensor:
        return inp.new_zeros([rows if d == self.buffer_dim else n for d, n in enumerate(inp.shape)])

    def _check(self, inp: Tensor) -> None:
        """Check the sizes against the rows that an input brings."""
        dim, size = self.buffer_dim, self.buffer_size
        if not 0 <= dim < inp.dim():
            problem = f"buffer_dim is {dim}, the input has rank {inp.dim()}"
            raise fail("Buffer", problem, "take a dim from 0 to rank - 1")
        rows = inp.shape[dim]
        for name, value, least in (
            ("buffer_size", size, rows),
            ("stride", self.stride, rows),
            ("buffer_padding", self.buffer_padding, 0),
        ):
            if rows < 1 or value % rows or not least <= value <= size:
                problem = f"{name} is {value}, a call brings {rows} rows"
                remedy = f"take a multiple of {rows} from {least} to {size}"
                raise fail("Buffer", problem, remedy)
