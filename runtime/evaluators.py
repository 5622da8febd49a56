"""Graph ops at run time: what the session asks of the functions that evaluate them.

`kernels.graph.GRAPH` maps an op's name (`qti_aisw.Conv2d`) to a binder. A binder is called once
with the op, decodes its params, and gives the function to call at each run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..dialects.qti_aisw.base import GraphOp
from .functions.arrays import Array

Evaluate = Callable[..., Sequence[Array]]
"""From operand values to result values.

Called with one argument per operand of the op's definition, in its order: an array, None for an
absent optional operand, a tuple of arrays for a variadic one. Floats, integers and bools come in
their own dtype, quantised tensors as f32 reals; each result is converted to its tensor's dtype
or quantised. Arguments may be views of memory: they are not to be written. ValueError, IndexError
or ArithmeticError fails the run and names the op.
"""

Binder = Callable[[GraphOp], Evaluate]
