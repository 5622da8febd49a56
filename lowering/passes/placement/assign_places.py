"""Decide where every tensor lies: the pass that gives each result its `#htp.place`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ....dialects.diagnostics import fail
from ....dialects.htp.base import NativeOp
from ....dialects.htp.ops.const import ConstOp
from ....dialects.htp.ops.copies import CopyOp
from ....dialects.htp.ops.state import StateReadOp
from ....dialects.value.place import FLAT_DDR, Place
from ....dialects.value.spec import spec_of, type_of
from ...conversion.builder import source_name
from ...levels import bodies, is_boundary
from ...packages.loading import packages_of
from ...soc import MIB, check_tcm_options
from .choose_places import choose_places
from .conversions import note_least
from .noted_places import note_places
from .placement import Placer, place_of
from .properties import placer
from .reference import check_reference

OPERAND_PLACES = "htp.operand_places"
"""Of an op whose operands are to move: the place that each goes to, unit for one that stays."""


@dataclass(frozen=True)
class AssignPlaces(ModulePass):
    """Native level to decided places; htp-realise-places makes them real.

    Constants and states lie flat in main memory, and so does what an op without tensor properties
    has. What an op leaves open gets the layout that converts the fewest bytes over the whole
    function, then the memory that moves the fewest; a result goes to TCM only where it takes at
    most half of it and the op's other tensors leave room. An op whose properties no kernel serves
    runs on its reference kernel, flat in main memory, where `allow-reference` is true; else it is
    an error that says how to mend it. The function then says in `htp.least_conversion_bytes` how
    few bytes conversions of layouts can write, and an op that reads operands elsewhere than they
    are made says in `htp.operand_places` where.
    """

    name = "htp-assign-places"

    tcm_bytes: int = 8 * MIB
    allow_reference: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_tcm_options(self.name, self.tcm_bytes)
        _refuse_copies(op)
        by = placer(self.tcm_bytes, packages_of(ctx))
        if not self.allow_reference:
            check_reference(op, by)
        assign_places(op, by)


def _refuse_copies(module: ModuleOp) -> None:
    """Copies tie their tensors to places that are yet to be chosen."""
    for block in bodies(module):
        for op in block.ops:
            if isinstance(op, CopyOp):
                found = "moves a tensor between places before these are chosen"
                raise fail(source_name(op), found, "run htp-absorb-copies before htp-assign-places")


def assign_places(module: ModuleOp, by: Placer) -> None:
    """Give every result inside the functions a place; boundary values and shapes get none.

    An op that is to find an operand in another place notes that.
    """
    for block in bodies(module):
        chosen = choose_places(block, by)
        note_least(block, chosen.converted)
        for op in list(block.ops):
            if isinstance(op, NativeOp):
                _assign(op, chosen.arrangements[op].results)
            elif isinstance(op, (ConstOp, StateReadOp)):
                _assign(op, (FLAT_DDR,))
            if op in chosen.arrangements:
                _note_operands(op, chosen.arrangements[op].operands)


def _assign(op: Operation, places: Sequence[Place]) -> None:
    for value, place in zip(op.results, places, strict=True):
        if not is_boundary(value):
            Rewriter.replace_value_with_new_type(value, type_of(spec_of(value).with_place(place)))


def _note_operands(op: Operation, wanted: Sequence[Place | None]) -> None:
    here = map(place_of, op.operands)
    moved = (None if place == at else place for place, at in zip(wanted, here, strict=True))
    note_places(op, OPERAND_PLACES, tuple(moved))
