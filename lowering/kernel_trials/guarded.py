"""Tensors of a kernel between guard bytes, over poison.

Each tensor lies between bytes that must not change; results, scratch and padding begin as poison.
A kernel runs over two poisons: elements that follow the poison were not written, or were computed
from what nobody wrote.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from ...dialects.diagnostics import fail
from ...dialects.spec_of import Array
from ...dialects.value import TensorSpec
from ...runtime.kernel.kernel import BoundCall, Call, Kernel
from ...runtime.kernel.library import spec_in
from ...runtime.tensors.memory import SharedBytes
from ...runtime.tensors.tensor_classes import tensor
from ...runtime.tensors.tensors import Bytes, ShapeParam, Tensor

_GUARD = 4096
"""Bytes before and after each tensor."""
_POISONS = (0xA5, 0x5A)


class _Guarded:
    """A tensor of a kernel between guard bytes, by its number other ones than around another."""

    def __init__(self, number: int, name: str, spec: TensorSpec) -> None:
        self.name, self._mark = name, number + 1
        self._whole: Bytes = SharedBytes(2 * _GUARD + spec.nbytes).bytes()
        self.tensor = tensor(spec, self._whole[_GUARD : _GUARD + spec.nbytes])

    def reset(self, poison: int) -> None:
        """Fill the tensor and what is around it."""
        # A kernel may copy what is around one tensor to around the next.
        self._whole[:] = poison ^ self._mark
        self.tensor.bytes[:] = poison

    def check(self, where: str, poison: int) -> None:
        """HtpError where bytes around the tensor have changed."""
        end = _GUARD + self.tensor.bytes.size
        for side, part in (("before", self._whole[:_GUARD]), ("behind", self._whole[end:])):
            changed = np.flatnonzero(part != poison ^ self._mark)
            if changed.size:
                far = int(changed[-1]) + 1 if side == "behind" else _GUARD - int(changed[0])
                problem = f"it writes {side} '{self.name}', up to {far} bytes away"
                raise fail(where, problem, "end its loops at the tensor's end")


def guarded(kernel: Kernel, *tensors: Tensor | ShapeParam, **scratch: Tensor) -> BoundCall:
    """Bind a kernel to tensors between guard bytes; the call runs it over two poisons."""
    count = len(kernel.outputs)
    slots = (*kernel.outputs, *(kernel.slots_for(len(tensors) - count) or ()))
    own: list[_Guarded | ShapeParam] = [
        each
        if isinstance(each, ShapeParam)
        else _Guarded(index, slot.name, spec_in(slot, each.spec) or each.spec)
        for index, (slot, each) in enumerate(zip(slots, tensors, strict=True))
    ]
    own_scratch = enumerate(scratch.items(), len(own))
    extra = [_Guarded(number, name, each.spec) for number, (name, each) in own_scratch]
    plain = [each if isinstance(each, ShapeParam) else each.tensor for each in own]
    outputs = [each for each in own[:count] if isinstance(each, _Guarded)]
    call = kernel.bind(
        [each.tensor for each in outputs], plain[count:], [each.tensor for each in extra]
    )
    framed = [each for each in (*own, *extra) if isinstance(each, _Guarded)]
    pairs = list(zip(tensors, own, strict=True))
    return partial(_run_guarded, kernel, call, framed, outputs, pairs)


def _run_guarded(
    kernel: Kernel,
    call: Call,
    guarded: Sequence[_Guarded],
    outputs: Sequence[_Guarded],
    pairs: Sequence[tuple[Tensor | ShapeParam, _Guarded | ShapeParam]],
) -> None:
    """Run a kernel over two poisons and look at every byte that it may not touch."""
    results: list[list[Array]] = []
    for poison in _POISONS:
        for each in guarded:
            each.reset(poison)
        inputs = pairs[len(outputs) :]
        for source, target in inputs:
            if isinstance(source, Tensor) and isinstance(target, _Guarded):
                target.tensor.store_raw(source.stored())
        call()
        for each in guarded:
            each.check(kernel.op, poison)
        for source, target in inputs:
            if not (isinstance(source, Tensor) and isinstance(target, _Guarded)):
                continue
            if target.tensor.stored().tobytes() != source.stored().tobytes():
                raise fail(kernel.op, f"it writes into its operand '{target.name}'", "copy it")
        results.append([np.array(each.tensor.stored()) for each in outputs])
    for index, (first, second) in enumerate(zip(*results, strict=True)):
        _compare_poisons(kernel, outputs[index].name, first, second)
    for (result, _), values in zip(pairs, results[0], strict=False):
        if isinstance(result, Tensor):
            result.store_raw(values)


def _compare_poisons(kernel: Kernel, name: str, first: Array, second: Array) -> None:
    """HtpError where a result depends on what its memory held."""
    bytes_of = [np.ascontiguousarray(a).reshape(-1).view(np.uint8) for a in (first, second)]
    size = first.dtype.itemsize
    kept = [
        (part.reshape(-1, size) == poison).all(axis=1)
        for part, poison in zip(bytes_of, _POISONS, strict=True)
    ]
    unwritten = kept[0] & kept[1]
    if unwritten.all() and unwritten.size:
        raise fail(kernel.op, f"it leaves its result '{name}' untouched", "write the body")
    if unwritten.any():
        at = list(map(int, np.unravel_index(int(np.argmax(unwritten)), first.shape)))
        count = f"{int(unwritten.sum())} of {unwritten.size} elements of '{name}'"
        raise fail(kernel.op, f"it leaves {count} unwritten, the first at {at}", "write all")
    if (bytes_of[0] != bytes_of[1]).any():
        problem = f"its result '{name}' depends on padding, scratch or memory that nobody wrote"
        raise fail(kernel.op, problem, "read what the op's operands hold")
