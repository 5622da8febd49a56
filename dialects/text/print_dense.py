"""Dense data as text, bit for bit."""

from __future__ import annotations

from math import isfinite

import numpy as np
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    i1,
)
from xdsl.printer import Printer

from .numbers import literal

LONGEST_LIST = 100
"""The most elements that print one by one."""

_Scalar = IntegerType | IndexType | AnyFloat


def is_splat(dense: DenseIntOrFPElementsAttr) -> bool:
    """Tell whether all elements have the same bits; there must be one at least."""
    data = np.frombuffer(dense.data.data, np.uint8)
    size = dense.type.element_type.compile_time_size
    # Nearly all data differs in its first two elements or in its ends.
    if not np.array_equal(data[:size], data[-size:]) or len(data) == size:
        return len(data) == size
    near = np.array_equal(data[:size], data[size : 2 * size])
    return near and np.array_equal(data[:-size], data[size:])


def print_dense(printer: Printer, dense: DenseIntOrFPElementsAttr) -> None:
    """Print dense data with its type: a number for a splat, a short list, or its bytes in hex.

    Data with infinities or NaNs is bytes in hex, which every reader takes for the same bits.
    """
    element_type = dense.get_element_type()
    if isinstance(element_type, ComplexType):
        dense.print_builtin(printer)
        return
    with printer.delimited("dense<", ">"):
        if len(dense):
            printer.print_string(_content(dense, element_type))
    printer.print_string(" : ")
    printer.print_attribute(dense.type)


def _content(dense: DenseIntOrFPElementsAttr, element_type: _Scalar) -> str:
    size = element_type.compile_time_size
    splat = is_splat(dense)
    data = dense.data.data[:size] if splat else dense.data.data
    if len(data) > LONGEST_LIST * size:
        return _hex(data, element_type)
    values = element_type.unpack(data, len(data) // size)
    if not all(map(isfinite, values)):
        return _hex(data, element_type)
    texts = [_number(value, element_type) for value in values]
    return texts[0] if splat else _nested(texts, dense.get_shape())


def _hex(data: bytes, element_type: _Scalar) -> str:
    if element_type == i1:
        data = np.packbits(np.frombuffer(data, np.bool_), bitorder="little").tobytes()
    return f'"0x{data.hex().upper()}"'


def _number(value: float, element_type: _Scalar) -> str:
    if element_type == i1:
        return "true" if value else "false"
    if isinstance(element_type, IntegerType | IndexType):
        return str(value)
    return literal(value, element_type)


def _nested(texts: list[str], shape: tuple[int, ...]) -> str:
    if len(shape) > 1:
        step = len(texts) // shape[0]
        texts = [_nested(texts[i : i + step], shape[1:]) for i in range(0, len(texts), step)]
    return f"[{', '.join(texts)}]"
