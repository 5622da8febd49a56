"""The schema of products with weights of codes, whose table says how many a byte holds."""

from __future__ import annotations

from .....dialects.value.codes import CODES_IN_A_BYTE
from .....dialects.value.dtypes import DType
from .....dialects.value.kinds import Kind
from ..template import GraphTemplate, OpTemplate
from .common import members, product


def fully_connected(template: GraphTemplate, op: OpTemplate) -> None:
    """Draw codes of a table, with a scale for each row and one zero point."""
    (out,) = op.results
    data, codes, table, scales, zeros, *bias = op.operands
    entries = min(CODES_IN_A_BYTE)
    template.dtype_in(data, *members(Kind.HTP_FLOAT))
    for slot in (table, *bias, out):
        template.same_dtype(data, slot)
    for slot, dtype in ((codes, DType.UInt8), (scales, DType.Float32), (zeros, DType.UInt8)):
        template.dtype_in(slot, dtype)
    for own, other in zip(data.dims[:3], out.dims[:3], strict=True):
        own.join(other)
    count = template.number(CODES_IN_A_BYTE[entries], CODES_IN_A_BYTE[entries])
    product(template, data.dims[3], codes.dims[3], count)
    ones = [slot.dims[dim] for slot in (codes, table, scales, zeros, *bias) for dim in (0, 1)]
    ones += [table.dims[2], scales.dims[3], *zeros.dims[2:], *(each.dims[2] for each in bias)]
    for dim in ones:
        dim.narrow(1, 1)
    table.dims[3].narrow(entries, entries)
    for dim in (codes.dims[2], scales.dims[2], *(each.dims[3] for each in bias)):
        dim.join(out.dims[3])
