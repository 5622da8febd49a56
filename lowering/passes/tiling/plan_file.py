"""Tile plans from files: JSON as `--save-tiles` writes it, or lines such as `conv1: H=16 D=64`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ....dialects.diagnostics import HtpError, did_you_mean, fail
from ....runtime.files.budget import read_text
from ....runtime.files.json_object import read_json
from ...levels import mnemonic
from ...planner.tiling.chosen import ChosenTiles, Misfit
from ...planner.tiling.program import SUMMED, Cuts, TileProgram
from .plan_table import DIMS, IN_STEP, OpNames, tiles_text

_LINE = re.compile(
    r"(?P<node>.+?)(?: (?P<op>[\w.]+?)(?:#(?P<number>\d{1,9}))?)?: *(?P<tiles>[^:]*)"
)
_TILE = re.compile(rf"([{''.join(DIMS)}])=(\d{{1,9}})")
_FORM = "write lines such as 'conv1: H=16 D=64', or take the JSON of --save-tiles"


@dataclass(frozen=True)
class Wish:
    """The tiles of the ops of a node, of those with a name, or of one; None leaves them open.

    `drains` as of a segment.
    """

    where: str
    node: str
    op: str
    number: int
    cuts: Cuts | None
    in_step: bool
    drains: bool = True


def read_wishes(path: str, function: str) -> list[Wish]:
    """Read the tiles that a file asks for in a function; HtpError for a file of another form."""
    text = read_text(path)
    if not text.lstrip().startswith("{"):
        return list(_of_lines(path, text))
    try:
        table: Any = read_json(path, _FORM).fields.get(function, {"segments": []})
        if table is None:
            raise fail(path, f"'{function}' is planned without tiles", "give tiling=false instead")
        return list(_of_json(path, table))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise fail(path, "is no tile plan in JSON", _FORM) from error


def _of_lines(path: str, text: str) -> Iterator[Wish]:
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("//"):
            continue
        where = f"{path}:{number}"
        tiles, _, step = stripped.rpartition(f", {IN_STEP}")
        stepping = bool(tiles) and not step
        match = _LINE.fullmatch(tiles if stepping else stripped)
        words = match["tiles"].split() if match else []
        sizes = [] if words == ["whole"] else [_TILE.fullmatch(word) for word in words]
        if not match or not words or None in sizes:
            raise fail(where, f"'{stripped[:80]}' names no node and tiles", _FORM)
        cuts = tuple((DIMS.index(each[1]), int(each[2])) for each in sizes if each)
        number_of = int(match["number"] or 0)
        yield Wish(where, match["node"], match["op"] or "", number_of, cuts, stepping)


def _of_json(path: str, table: dict[str, Any]) -> Iterator[Wish]:
    for number, segment in enumerate(table["segments"], 1):
        for op in segment["ops"]:
            tiles, where = op["tiles"], f"{path}: segment {number}"
            cuts = tiles if tiles is None else tuple(map(_cut, tiles.items()))
            step, drains = bool(op["in_step"]), bool(segment.get("drained", True))
            name = str(op["node"]), str(op["op"]), int(op["number"])
            yield Wish(where, *name, cuts, step, drains)


def _cut(tile: tuple[str, int]) -> tuple[int, int]:
    return DIMS.index(tile[0]), int(tile[1])


@dataclass(frozen=True)
class WishReader:
    """A reader of wishes about the ops of one function, in the order of its program."""

    names: OpNames
    program: TileProgram

    def chosen(self, wishes: Sequence[Wish]) -> list[ChosenTiles]:
        """Find the ops of wishes; HtpError for a node or tiles that cannot be."""
        by_op: dict[int, Wish] = {}
        for wish in wishes:
            for at in self._positions(wish):
                self._check(wish, at)
                if at in by_op:
                    problem = f"{self._called(at, wish)} has tiles from {by_op[at].where} already"
                    raise fail(wish.where, problem, "leave one of them out")
                by_op[at] = wish
        return list(self._runs(by_op))

    def _runs(self, by_op: dict[int, Wish]) -> Iterator[ChosenTiles]:
        """Join ops in step; between them may be ops that only move elements, and views."""
        start: int | None = None
        for at in range(len(self.program.ops)):
            wish = by_op.get(at)
            if start is None and wish and (wish.in_step or wish.cuts is not None):
                start = at
            if start is not None and wish and not wish.in_step:
                ops = range(start, at + 1)
                cuts = {n: cut for n in ops if n in by_op and (cut := by_op[n].cuts) is not None}
                yield ChosenTiles(start, at + 1, cuts, wish.drains)
                start = None
            elif start is not None and not wish:
                op = self.program.ops[at]
                if not (op.moves_only or op.is_view):
                    raise self._gap(by_op[start], self._called(at))
        if start is not None:
            raise self._gap(by_op[start], "an op behind it")

    def _gap(self, wish: Wish, behind: str) -> HtpError:
        problem = f"'{wish.node}' is in step with an op that the file does not name"
        return fail(wish.where, problem, f"name {behind} too, or leave '{IN_STEP}' out")

    def _positions(self, wish: Wish) -> list[int]:
        """List the ops of a wish; of a whole node those that can be cut as it says."""
        every = self.names.positions(wish.node, wish.op)
        if not every:
            raise self._unknown(wish)
        if not 0 <= wish.number <= len(every):
            problem = f"node '{wish.node}' has {len(every)} {wish.op}, not {wish.number}"
            raise fail(wish.where, problem, f"give 1 to {len(every)}")
        if wish.number:
            return [every[wish.number - 1]]
        dims = {dim for dim, _ in wish.cuts or ()}
        taking = [at for at in every if self._dims(at) and dims <= self._dims(at)]
        return taking or [at for at in every if self._dims(at)] or every

    def _unknown(self, wish: Wish) -> HtpError:
        own = self.names.positions(wish.node)
        ops = dict.fromkeys(mnemonic(self.names.ops[at]) for at in own)
        if ops:
            remedy = did_you_mean(wish.op, ops, f"its ops are {', '.join(ops)}")
            return fail(wish.where, f"node '{wish.node}' has no op {wish.op}", remedy)
        remedy = did_you_mean(wish.node, self.names.by_name, "--explain-tiles lists the nodes")
        return fail(wish.where, f"no op comes from a node '{wish.node}'", remedy)

    def _dims(self, at: int) -> set[int]:
        op = self.program.ops[at]
        return set() if op.moves_only else {*op.cuts, *([SUMMED] if op.summed else [])}

    def _check(self, wish: Wish, at: int) -> None:
        """Refuse a dim along which an op is not cut, and tiles that share a crouton."""
        op, known = self.program.ops[at], self._dims(at)
        who = self._called(at, wish)
        for dim, size in wish.cuts or ():
            letter = DIMS[dim]
            if [other for other, _ in wish.cuts or ()].count(dim) > 1:
                raise fail(wish.where, f"{who} is cut along {letter} twice", "name each dim once")
            if dim not in known or (dim == SUMMED and wish.cuts and wish.cuts[-1][0] != SUMMED):
                dims = ", ".join(DIMS[each] for each in sorted(known)) or "none"
                remedy = f"its dims are {dims}; K is the last"
                raise fail(wish.where, f"{who} is not cut along {letter} there", remedy)
            result = self.program.tensors[op.results[0]]
            sums, tensors = dim == SUMMED, self.program.tensors
            unit = op.part_granule(tensors) if sums else op.granule(dim, result)
            if size < 1 or size % unit:
                problem = f"{letter}={size} of {who} is no multiple of {unit}"
                raise fail(wish.where, problem, f"give {letter}={max(1, size // unit) * unit}")

    def misfit(self, misfit: Misfit, wishes: Sequence[Wish], capacity: int) -> HtpError:
        """Make the error for tiles that do not fit the TCM."""
        first, last = misfit.tiles.start, misfit.tiles.end - 1
        wish = next(each for each in wishes if last in self._positions(each))
        tiles = tiles_text({DIMS[dim]: size for dim, size in wish.cuts or ()})
        which = self._called(last, wish) + ", and what is in step," * (first < last)
        problem = f"{tiles} of {which} needs {misfit.need} bytes of TCM, there are {capacity}"
        return fail(wish.where, problem, "give smaller tiles, or more tcm-bytes")

    def _called(self, at: int, wish: Wish | None = None) -> str:
        op = self.names.planned(at, None, in_step=False)
        return f"{op.op} of '{wish.node if wish else op.node}'"
