"""Moves Transposes down the graph until they meet their opposites.

A channels-first model comes in with a Transpose before and behind each image op. Every Transpose
is pushed past the ops that do not care about the order of dims, and two that meet become one, or
none; one that only moves dims of extent 1 is a Reshape. Cost: one pass over the ops of a block.

Example: between two convolutions of such a model stand Transpose, Relu, Transpose back. The first
one is pushed past the Relu, meets its opposite, and both are gone.
"""

from xdsl.dialects.builtin import LocationAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.traits import Pure

from ....dialects.locations import fused, location_of
from ....dialects.qti_aisw import GRAPH_OPS, ConstOp, GraphOp, build, const
from ....dialects.qti_aisw.base import ints_attr
from ....dialects.qti_aisw.ops.quantize import DequantizeOp
from ....dialects.spec_of import spec_of
from ....dialects.value import Shape
from .moves import Moved, Perm, in_order_at_rank, inverse, moved_in_front
from .shuffles import shuffle_of, transposed
from .value import stored_constant

_TRANSPOSE, _RESHAPE = GRAPH_OPS["Transpose"], GRAPH_OPS["Reshape"]
_LOOK_AHEAD = 8
"""Ops, at most, between a Transpose and the one that undoes it."""
Views = dict[SSAValue, tuple[SSAValue, Perm]]
"""Values that are gone: each is a value in its place, with its dims in this order.

The order leaves out the height of an image that was a row.
"""


def cancel_transposes(function: FuncOp, names: dict[SSAValue, list[str]]) -> Views:
    """Rewrite the body in place until no Transpose can go further down; return what is gone.

    A constant whose dims come into another order keeps its names.
    """
    drop_unused(function.body.block)  # A dead op could be moved to and fro for ever.
    walk = _TransposeWalk(function.body.block, names)
    while walk.once():
        pass
    for op in list(function.body.block.ops):
        walk.reshape_if_order_is_kept(op)
    for op in list(function.body.block.ops):
        walk.join_reshapes(op)
    for op in reversed(list(function.body.block.ops)):
        walk.drop_height(op)
    drop_unused(function.body.block)
    return walk.gone


def drop_unused(block: Block) -> None:
    """Erase pure ops that nothing uses."""
    for op in reversed(list(block.ops)):
        if op.has_trait(Pure) and not any(result.uses for result in op.results):
            Rewriter.erase_op(op)


class _TransposeWalk:
    """One block; equal Transposes of one value are made once, right behind it.

    An op moves freely when all its operands bring the same order along. A move that relies on
    other Transposes could be undone by the next one, so an op makes only one of that kind, and
    others where fewer Transposes are left at once: this is what ends the walk.
    """

    def __init__(self, block: Block, names: dict[SSAValue, list[str]]) -> None:
        self.block, self.names = block, names
        self.moved_once: set[Operation] = set()
        self.gone: Views = {}

    def once(self) -> bool:
        """Visit every op in order; tell whether anything changed."""
        changed = False
        for op in list(self.block.ops):
            if op.parent is None or not isinstance(op, GraphOp):
                continue
            if not isinstance(op, _TRANSPOSE):
                changed |= self._sink(op) or self._shuffle_before(op)
            elif not op.results[0].uses:
                self._erase(op)
            else:
                changed |= self._share(op) or self._compose(op)
        return changed

    def _share(self, op: GraphOp) -> bool:
        """Join other Transposes of the same value and order with this one."""
        source, perm = op.operands[0], op.ints_param("perm")
        copies = [copy for copy in _transposes(source, perm) if copy is not op]
        for copy in copies:
            copy.results[0].replace_all_uses_with(op.results[0])
            self._erase(copy)
        if copies:
            self._move_behind(source, op)
        return bool(copies)

    def _compose(self, op: GraphOp) -> bool:
        """Join a Transpose with the one before it."""
        perm, source = op.ints_param("perm"), op.operands[0]
        before = transposed(source)
        if before is None:
            return False
        inner, first, maker = before
        joined = tuple(first[i] for i in perm)
        location = fused(location_of(each) for each in (op, maker))
        op.results[0].replace_all_uses_with(self.transposed(inner, joined, location))
        self._erase(op)
        return True

    def _erase(self, op: Operation) -> None:
        """Erase a Transpose."""
        if (before := transposed(op.results[0])) is not None:
            self.gone[op.results[0]] = before[:2]
        Rewriter.erase_op(op)

    def transposed(self, value: SSAValue, perm: Perm, location: LocationAttr) -> SSAValue:
        """Return the value in another order: itself, one that exists, a constant, or a new op.

        `location` is that of a new op.
        """
        if perm == tuple(range(len(perm))):
            return value
        if isinstance(value.owner, ConstOp):
            data = value.owner.array.transpose(perm)
            reordered: Operation = const(data, spec_of(value).with_shape(data.shape))
            self._name(reordered.results[0], value)
        elif existing := _transposes(value, perm):
            self._move_behind(value, existing[0])
            return existing[0].results[0]
        else:
            reordered = build(_TRANSPOSE, [value], {"perm": ints_attr(perm)})
        reordered.location = location
        self._place_behind(value, reordered)
        return reordered.results[0]

    def _name(self, new: SSAValue, old: SSAValue) -> None:
        """Give a constant the name of the one that it is arranged from."""
        if old in self.names:
            self.names[new] = self.names[old]

    def _move_behind(self, value: SSAValue, op: Operation) -> None:
        self.block.detach_op(op)
        self._place_behind(value, op)

    def _place_behind(self, value: SSAValue, op: Operation) -> None:
        """Right behind the value, so that it is there for all users."""
        if isinstance(value.owner, Operation):
            self.block.insert_op_after(op, value.owner)
        elif self.block.first_op is not None:
            self.block.insert_op_before(op, self.block.first_op)

    def _sink(self, op: GraphOp) -> bool:
        """Let the op work on the data before the Transpose, where that costs no more."""
        perm = _common_order(op)
        moved = None if perm is None else moved_in_front(op, perm)
        if perm is None or moved is None:
            return False
        if isinstance(op, _RESHAPE) and not _is_met(op, moved.after):
            return False
        if not all(_comes_along(value, perm) for value in op.operands):
            if not _pays(op, perm, moved, op in self.moved_once):
                return False
            self.moved_once.add(op)
        self._replace(op, perm, moved)
        return True

    def _shuffle_before(self, op: GraphOp) -> bool:
        """Let the last of three ops that shuffle one dim, and those before it, do so earlier."""
        shuffle = shuffle_of(op)
        before = None if shuffle is None else transposed(shuffle.source)
        if shuffle is None or before is None:
            return False
        data, perm, maker = before
        shape = spec_of(data).shape
        parts, order = shuffle.inside(shape, perm[shuffle.dim])
        split = self._reshape(data, parts)
        turned = build(_TRANSPOSE, [split.results[0]], {"perm": ints_attr(order)})
        joined = self._reshape(turned.results[0], shape)
        for new in (split, turned, joined):
            new.location = location_of(op)
            self.block.insert_op_before(new, op)
        old, result = op.results[0], joined.results[0]
        result.name_hint = old.name_hint
        old.replace_all_uses_with(self.transposed(result, perm, location_of(maker)))
        self.gone[old] = result, perm
        Rewriter.erase_op(op)
        return True

    def _replace(self, op: GraphOp, perm: Perm, moved: Moved) -> None:
        makers = [before[2] for value in op.operands if (before := transposed(value))]
        sunk = fused(map(location_of, makers))
        operands = [self._in_order(operand, perm, op) for operand in op.operands]
        variadic = op.name == "qti_aisw.Concat"
        properties = {**op.properties, **moved.properties}
        new = build(type(op), [operands] if variadic else operands, properties)
        new.location, new.attributes = op.location, dict(op.attributes)
        self.block.insert_op_before(new, op)
        for old, result in zip(op.results, new.results, strict=True):
            result.name_hint = old.name_hint
            behind = self.transposed(result, moved.after, sunk)
            old.replace_all_uses_with(behind)
            self.gone[old] = result, moved.after
        if op in self.moved_once:
            self.moved_once.add(new)
        Rewriter.erase_op(op)

    def _in_order(self, operand: SSAValue, perm: Perm, op: Operation) -> SSAValue:
        """Return the operand as the op wants it before the Transpose."""
        spec = spec_of(operand)
        if spec.elements == 1 and spec.rank < len(perm):
            return operand
        order = inverse(perm)
        if (stored := stored_constant(operand)) is not None:
            turned = self._constant_in_order(stored, order)
            reals = build(DequantizeOp, [turned.out])
            reals.location = stored.location
            self.block.insert_op_after(reals, turned)
            return reals.out
        if isinstance(operand.owner, ConstOp):
            return self._constant_in_order(operand.owner, order).out
        before = transposed(operand)
        if before and before[1] == perm:
            return before[0]
        full = (1,) * (len(perm) - spec.rank) + spec.shape
        keeps = _keeps_order(full, order)
        shape = tuple(full[dim] for dim in order) if keeps else full
        operand = self._reshaped(operand, shape, location_of(op))
        return operand if keeps else self.transposed(operand, order, location_of(op))

    def _reshaped(self, value: SSAValue, shape: Shape, location: LocationAttr) -> SSAValue:
        """Return the value under another shape: one that exists, or of a new op right behind it."""
        if spec_of(value).shape == shape:
            return value
        for user in (use.operation for use in value.uses):
            if isinstance(user, _RESHAPE) and spec_of(user.results[0]).shape == shape:
                self._move_behind(value, user)
                return user.results[0]
        reshape = self._reshape(value, shape)
        reshape.location = location
        self._place_behind(value, reshape)
        return reshape.results[0]

    def _constant_in_order(self, constant: ConstOp, order: Perm) -> ConstOp:
        """Return a constant, which may have fewer dims than the order, with its dims in it."""
        turned = const(*in_order_at_rank(constant.array, spec_of(constant.out), order))
        self._name(turned.out, constant.out)
        turned.location = constant.location
        self.block.insert_op_after(turned, constant)
        return turned

    def reshape_if_order_is_kept(self, op: Operation) -> None:
        """Replace a Transpose that only moves dims of extent 1 by a Reshape."""
        if not isinstance(op, _TRANSPOSE):
            return
        perm, source = op.ints_param("perm"), op.operands[0]
        if _keeps_order(spec_of(source).shape, perm):
            new = self._reshape(source, spec_of(op.results[0]).shape)
            # Joined with the Reshape before it, it is what stays.
            is_joined = isinstance(source.owner, _RESHAPE)
            view = (new.results[0], tuple(range(len(perm)))) if is_joined else (source, perm)
            self.gone[op.results[0]] = view
            _swap(op, new)

    def join_reshapes(self, op: Operation) -> None:
        """Join a Reshape with those before it; drop one that changes nothing."""
        if not isinstance(op, _RESHAPE):
            return
        source, joined = op.operands[0], [op]
        while isinstance(source.owner, _RESHAPE):
            joined.append(source.owner)
            source = source.owner.operands[0]
        shape = spec_of(op.results[0]).shape
        order = tuple(range(len(shape)))
        if spec_of(source).shape == shape:
            op.results[0].replace_all_uses_with(source)
            self.gone[op.results[0]] = source, order
            Rewriter.erase_op(op)
        elif source is not op.operands[0] or isinstance(source.owner, ConstOp):
            op.location = fused(map(location_of, joined))
            new = self._reshape(source, shape)
            self.gone[op.results[0]] = new.results[0], order
            _swap(op, new)

    def drop_height(self, op: Operation) -> None:
        """Let a row that nothing reads any more be its image, which has a height too."""
        if not isinstance(op, _RESHAPE) or op.results[0].uses:
            return
        image, row = (spec_of(value).shape for value in (op.operands[0], op.results[0]))
        if len(image) == 4 and image[1] == 1:
            views = ((0, 2, 3), (0, 3, 2))[: 1 + (1 in image[2:])]
            for view in views:
                if row == tuple(image[dim] for dim in view):
                    self.gone[op.results[0]] = op.operands[0], view
        Rewriter.erase_op(op)

    def _reshape(self, value: SSAValue, shape: tuple[int, ...]) -> Operation:
        """Return a Reshape, or the reshaped constant."""
        if not isinstance(value.owner, ConstOp):
            return build(_RESHAPE, [value], {"shape": ints_attr(shape)})
        reshaped = const(value.owner.array.reshape(shape), spec_of(value).with_shape(shape))
        self._name(reshaped.out, value)
        return reshaped


def _transposes(value: SSAValue, perm: Perm) -> list[Operation]:
    """Return the Transposes of the value in this order."""
    users = dict.fromkeys(use.operation for use in value.uses)
    return [u for u in users if isinstance(u, _TRANSPOSE) and u.ints_param("perm") == perm]


def _common_order(op: GraphOp) -> Perm | None:
    """Return the one order that the op's transposed operands of full rank share."""
    orders = {origin[1] for value in op.operands if (origin := transposed(value)) is not None}
    if len(orders) != 1:
        return None
    (perm,) = orders
    rank = max(spec_of(operand).rank for operand in op.operands)
    return perm if len(perm) == rank else None


def _pays(op: GraphOp, perm: Perm, moved: Moved, at_once: bool) -> bool:
    """Moving is worth it if it adds no Transpose, or if a later one takes up what it adds.

    `at_once`: only if the Transposes right behind the op do.
    """
    added = [
        value
        for value in op.operands
        if not _comes_along(value, perm)
        # It may exist already in the order that the op would take.
        and not (spec_of(value).rank == len(perm) and _transposes(value, inverse(perm)))
    ]
    if not added and not at_once:
        return True
    saved = {
        value
        for value in op.operands
        if transposed(value) and len({use.operation for use in value.uses}) == 1
    }
    ahead = 0 if at_once else _LOOK_AHEAD
    undone = all(_is_undone(each, moved.after, ahead) for each in op.results)
    return undone and len(set(added)) <= len(saved)


def _comes_along(value: SSAValue, perm: Perm) -> bool:
    """Tell whether a value is transposed, or constant, or in the same order by any Transpose."""
    spec = spec_of(value)
    if isinstance(value.owner, ConstOp) or stored_constant(value) is not None:
        return True
    return transposed(value) is not None or _keeps_order(spec.shape, inverse(perm))


def _keeps_order(shape: Shape, perm: Perm) -> bool:
    """Tell whether only dims of extent 1 come to other places in this order."""
    full = (1,) * (len(perm) - len(shape)) + shape
    dims = [dim for dim in perm if full[dim] != 1]
    return dims == sorted(dims)


def _is_undone(value: SSAValue, perm: Perm, depth: int) -> bool:
    """Tell whether every use of the value in this order puts it back into the other."""
    users = {use.operation for use in value.uses}
    return bool(users) and all(_undoes(user, perm, depth) for user in users)


def _undoes(user: Operation, perm: Perm, depth: int) -> bool:
    if isinstance(user, _TRANSPOSE):
        return user.ints_param("perm") == inverse(perm)
    if depth == 0 or not isinstance(user, GraphOp) or len(user.operands) != 1:
        return False
    moved = moved_in_front(user, perm)
    if moved is None:
        return False
    return all(_is_undone(result, moved.after, depth - 1) for result in user.results)


def _is_met(op: Operation, perm: Perm) -> bool:
    """Tell whether all that reads a value in this order undoes it, or reads another one so, too."""
    users = {use.operation for use in op.results[0].uses}
    return bool(users) and all(
        _undoes(user, perm, 0)
        or any((before := transposed(v)) and before[1] == perm for v in user.operands)
        for user in users
    )


def _swap(op: Operation, new: Operation) -> None:
    block = op.parent
    if block is None:
        raise ValueError("the op is in no block")
    new.location = location_of(op)
    block.insert_op_before(new, op)
    new.results[0].name_hint = op.results[0].name_hint
    op.results[0].replace_all_uses_with(new.results[0])
    Rewriter.erase_op(op)
