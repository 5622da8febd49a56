"""Schemas of weights of codes, whose table says how many a byte holds."""

from __future__ import annotations

from .....dialects.value.codes import CODES_IN_A_BYTE
from .....dialects.value.dtypes import DType
from .....dialects.value.kinds import Kind
from ..drawing.constraint_system import IntVar
from ..drawing.template import GraphTemplate, OpTemplate, Slot
from .common import members, product, row

_ENTRIES = min(CODES_IN_A_BYTE)
"""The elements of the table: the fewest, so that bytes hold the most codes."""


def fully_connected(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw data and a bias of the table's dtype for the decoded weights."""
    (out,) = op.results
    data, *coded, bias = op.operands
    _coded(template, coded, out.dims[3], data.dims[3])
    for slot in (data, bias, out):
        template.same_dtype(coded[1], slot)
    for own, other in zip(data.dims[:3], out.dims[:3], strict=True):
        own.join(other)
    row(template, bias, out.dims[3])


def decoding(template: GraphTemplate, op: OpTemplate) -> None:
    """Give the decoded matrix the table's dtype."""
    (out,) = op.results
    _coded(template, op.operands, *out.dims[2:])
    template.same_dtype(op.operands[1], out)
    for dim in out.dims[:2]:
        dim.narrow(1, 1)


def _coded(template: GraphTemplate, operands: list[Slot], rows: IntVar, columns: IntVar) -> None:
    """Draw codes, a table, a scale for each row and one zero point."""
    codes, table, scales, zeros = operands
    template.dtype_in(table, *members(Kind.HTP_FLOAT))
    for slot, dtype in ((codes, DType.UInt8), (scales, DType.Float32), (zeros, DType.UInt8)):
        template.dtype_in(slot, dtype)
    count = template.number(CODES_IN_A_BYTE[_ENTRIES], CODES_IN_A_BYTE[_ENTRIES])
    product(template, columns, codes.dims[3], count)
    template.dims_are(codes, (1, 1, rows, codes.dims[3]))
    template.dims_are(table, (1, 1, 1, _ENTRIES))
    template.dims_are(scales, (1, 1, rows, 1))
    template.dims_are(zeros, (1, 1, 1, 1))
