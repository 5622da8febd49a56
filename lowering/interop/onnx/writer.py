"""A function of graph ops as nodes of ONNX: those of its source where they still say it, else new.

Data of images are channels-first in ONNX. So a value is written as a tensor and an order of its
dims, and a Transpose becomes a node only where its reader needs one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from onnx import NodeProto
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, OpResult, SSAValue

from ....dialects.diagnostics import Fault, HtpError, fail
from ....dialects.locations import called, names_in_model, origins_of
from ....dialects.qti_aisw import ConstOp, GraphOp
from ....dialects.qti_aisw.ops.quantize import DequantizeOp, QuantizeOp
from ....dialects.spec_of import spec_of
from ....dialects.value import DType, TensorSpec
from ...frontend.onnx.blocks.append import free_name
from ...frontend.onnx.preparation.nodes import write_place
from ...importers.graph.moves import moved_in_front
from . import elementwise, images, layers, movement
from .before import Alignment, Before, aligned, is_form_of
from .call import PrintedOp, is_grid_constant
from .draft import ABSENT, Draft, DraftNode, ModelTensor, Ordered, common_order, order, order_of
from .idioms import idiom_of
from .raised import MOST_NODES, last_of_many, raised_match
from .rows import is_along, is_row

_SETS = (elementwise.PRINTS, images.PRINTS, layers.PRINTS, movement.PRINTS)
PRINTERS = {op: printer for each in _SETS for op, printer in each.items()}
"""The printer of each graph op, by name."""


class Writer:
    """The values of a function as tensors of a draft."""

    def __init__(self, before: Before, names: Mapping[SSAValue, str] | None = None) -> None:
        self.before = before
        self.names = names or {}
        self.draft = Draft(before.opset, before.nodes, before.transposes, names is not None)
        self.draft.taken |= dict.fromkeys([*before.makers, *before.initializers, *before.inputs])
        self.faults: dict[ModelTensor, Sequence[Fault]] = {}
        """The faults of the op of a tensor that cannot be written."""
        self.statics: dict[str, ModelTensor] = {}
        self.biases: set[str] = set()
        self._grids: dict[tuple[str, ...], TensorSpec] = {}
        self.inside: set[SSAValue] = set()
        """Values inside nodes that stay, on grids that no tensor of the model is on."""
        self._inputs: set[str] = set()
        self._values: dict[tuple[SSAValue, str], Ordered] = {}
        self._roles: dict[SSAValue, SSAValue] = {}
        self._done: dict[Operation, list[Ordered]] = {}
        self._apart: set[Operation] = set()
        """Ops that ONNX says by as many nodes as they were, or more."""
        self._open: set[tuple[SSAValue, str]] = set()
        """Values, each in its role, that nodes of the source are sought for."""

    def write(self, function: FuncOp, inputs: Sequence[str], outputs: Sequence[str]) -> list[str]:
        """Write the body; return the names that the outputs got, a number behind those of inputs.

        HtpError with each op that ONNX cannot say.
        """
        self._inputs.update(inputs)
        for argument, name in zip(function.body.block.args, inputs, strict=True):
            self.draft.fix(tensor := ModelTensor(name, self.spec(argument)), name)
            if self.draft.floats and spec_of(argument).quant is not None:
                self.draft.encode(tensor, spec_of(argument))
            self._values[argument, ""] = Ordered(tensor, order(spec_of(argument).rank))
        self.draft.fixed.update(outputs)
        self._apart |= last_of_many(function.body.block, self.before)
        for op in function.body.block.ops:
            if not isinstance(op, GraphOp | ConstOp | ReturnOp):
                raise fail(called(op), "is not a graph op", "write the module before it is lowered")
            if not isinstance(op, ConstOp):
                for result in op.results:
                    self.value(result)
        end = function.body.block.last_op
        values = end.operands if isinstance(end, ReturnOp) else ()
        tensors = list[ModelTensor]()
        for value, name in zip(values, outputs, strict=True):
            tensors.append(self._output(value, name, outputs, {*tensors}))
        self.draft.prune(tensors)
        # An op inside a node of the source may be unsayable on its own. In floats each has a grid.
        read = {*tensors, *(tensor for node in self.draft.nodes for tensor in node.reads)}
        read |= self.faults.keys() if self.draft.floats else set()
        if faults := [
            each for tensor in self.faults if tensor in read for each in self.faults[tensor]
        ]:
            raise HtpError(*dict.fromkeys(faults))
        self._settle()
        self.draft.prune(tensors)
        return [tensor.name for tensor in tensors]

    def _output(
        self, value: SSAValue, name: str, outputs: Sequence[str], others: set[ModelTensor]
    ) -> ModelTensor:
        """Return an output under its name, by an Identity where the tensor has another one."""
        draft = self.draft
        tensor = draft.ordered(self.value(value, name), order(spec_of(value).rank))
        maker = draft.makers.get(tensor)
        data = self.before.constants.get(name) if name in self.before.initializers else None
        if data is not None and tensor.data is not None and np.array_equal(tensor.data, data):
            # It is an initializer of the source.
            return self.static(name)
        is_input = name in self._inputs
        if is_input and tensor.name == name:
            return tensor
        name = free_name(name, {*draft.taken, *outputs}) if is_input else name
        is_free = maker is not None and (not maker.kept or tensor.wanted == name)
        if not is_free or tensor in others:
            tensor, same = ModelTensor(name, self.spec(value)), tensor
            draft.add_new("Identity", [same], [tensor])
        draft.fix(tensor, name)
        return tensor

    # values

    def spec(self, value: SSAValue) -> TensorSpec:
        """Return the spec that an input or output has in the model, of floats where all are."""
        spec = spec_of(value)
        return spec.with_dtype(DType.Float32) if self.draft.floats and spec.quant else spec

    def value(self, value: SSAValue, role: str = "") -> Ordered:
        """Return a value in the draft; `role` is a name of the source that it replaces."""
        if (value, role) not in self._values:
            self._open.add((value, role))
            for name in dict.fromkeys(self._names(value, role)):
                written = self._kept(value, name)
                if written is not None:
                    self._values[value, name] = self._values[value, role] = written
                    return written
            if isinstance(value, OpResult):
                new = self._new(value.op)[value.index]
                self._values[value, role] = self._as_before(value, role) or new
            else:
                self._values[value, role] = self._values[value, ""]
        return self._values[value, role]

    def _names(self, value: SSAValue, role: str) -> Iterator[str]:
        """Yield the names of the source that may be a value's, the likely ones first."""
        # Encodings are those of values by their own names.
        yield from (role, *(names_in_model(value) if self.draft.floats else ()))
        if isinstance(value.owner, Operation):
            nodes = (self.before.nodes[index] for index in self.before.origins(value.owner))
            names = (name for node in nodes for name in node.output)
            yield from sorted(names, key=lambda name: name != value.name_hint)

    # what the source has

    def _as_before(self, value: OpResult, role: str) -> Ordered | None:
        """Return a raised value by the nodes of before, where ONNX has no fewer for it."""
        is_view = value.op.name == "qti_aisw.Reshape"
        ops = {value.op, value.op.operands[0].owner} if is_view else {value.op}
        if self._apart.isdisjoint(ops) or self.draft.floats:
            return None
        kept = (self._kept(value, name, raised=True) for name in self._names(value, role))
        return next((written for written in kept if written is not None), None)

    def _kept(self, value: SSAValue, name: str, *, raised: bool = False) -> Ordered | None:
        """Return a value by nodes of the source that make it of others; None where none do.

        If `raised`, the rules make it of what these nodes are.
        """
        before, floats = self.before, self.draft.floats
        view = before.view(name) if name in before.makers else None
        if view is None or not is_form_of(value, view[0], floats):
            return None
        if floats and isinstance(value.owner, QuantizeOp | DequantizeOp):
            return None
        island, most = [before.makers[name]], MOST_NODES
        if raised and isinstance(value.owner, Operation):
            island = [*{*island, *before.origins(value.owner)}]
            most += len(island)
        while True:
            ends, gone = before.ends(island)
            values = {*ends.values()}
            if raised:
                views = map(before.view, (n for i in island for n in before.nodes[i].output))
                values_inside = [view[0], *(each[0] for each in views if each)]
                match = None if gone else raised_match(value, values_inside, values)
            else:
                match = aligned(value, view[0], values, floats=floats)
            if match is not None and not gone:
                copies = self._copies(island, ends, match)
                if copies is None:
                    return None
                copies[name].spec = spec_of(view[0]).transposed(view[1])
                if floats and spec_of(value).quant is not None:
                    self.draft.encode(copies[name], spec_of(value).transposed(view[1]))
                    self._note_unnamed(value, before.nodes[before.makers[name]])
                return Ordered(copies[name], order_of(view[1], spec_of(view[0]).rank))
            more = {before.makers[n] for n in gone or ends if n in before.makers} - {*island}
            if not more or (not gone and len(island) + len(more) > most):
                return None
            island += more

    def _note_unnamed(self, value: SSAValue, node: NodeProto) -> None:
        """Note the other results of an op, on grids, that its node does not name."""
        results = value.owner.results if isinstance(value.owner, Operation) else ()
        if len([name for name in node.output if name]) < len(results):
            unread = (each for each in results if not each.uses and spec_of(each).quant)
            self.inside.update(unread)

    def _copies(
        self, island: Sequence[int], ends: Mapping[str, SSAValue], match: Alignment
    ) -> dict[str, ModelTensor] | None:
        """Copy nodes, which read what is in place of what they read; None where that is not there.

        What they read inside their graphs must have its name, and a constant one grid. On several
        a bias needs no encoding, nor does one number, which is exact on a grid of its own.
        """
        read = [name for index in island for name in self.before.reads(index)]
        for name, grid, names in self.before.grids(match, read):
            is_same = self._grids.setdefault(names, grid).same_encoding(grid)
            if not self.draft.encode(self.static(name), grid) or not is_same:
                if grid.dtype is not DType.QInt32 and np.ptp(self.before.constants[name]):
                    return None
                self.biases.update(names)
        self._roles |= match.ends
        self.inside.update(match.inside)
        copies: dict[str, ModelTensor] = {}
        for index in sorted(island):
            reads: dict[str, ModelTensor] = {}
            for name in self.before.reads(index):
                tensor = copies.get(name)
                if tensor is None and name in ends:
                    tensor = self._in_place(name, match.ends.get(ends[name]))
                elif tensor is None:
                    tensor = self.static(name)
                is_inner = name not in self.before.nodes[index].input
                if tensor is None or (is_inner and tensor.name != name):
                    return None
                reads[name] = tensor
            copies |= self.draft.copy(index, reads)
        return copies

    def _in_place(self, name: str, matches: SSAValue | None) -> ModelTensor | None:
        """Return the tensor in place of a name that a node reads; None where there is none."""
        view = self.before.view(name)
        value = matches or (self._roles.get(view[0]) if view else None)
        if view is None or value is None:
            return next((w.tensor for w in self._values.values() if w.tensor.name == name), None)
        if (value, name) in self._open and (value, name) not in self._values:
            # The node would make the value of itself.
            return None
        tensor = self.draft.ordered(self.value(value, name), view[1])
        maker = self.draft.makers.get(tensor)
        is_free = maker is not None and not maker.kept and not tensor.name
        if is_free and name not in self.draft.fixed:
            self.draft.fix(tensor, name)
        return tensor

    def static(self, name: str) -> ModelTensor:
        """Return the tensor of a name of the source that is constant, or follows from shapes."""
        if name not in self.statics:
            self.statics[name] = ModelTensor(name)
            self.draft.fix(self.statics[name], name)
        return self.statics[name]

    def _settle(self) -> None:
        """Copy the nodes that make static values, where what they read still has its name.

        Of the others the value becomes a constant.
        """
        before = self.before
        there = {w.tensor.name: w.tensor for (_, role), w in self._values.items() if not role}
        there |= {t.name: t for n in self.draft.nodes for t in n.outputs if t is not None}
        left, done = [*self.statics], set[str]()
        while left:
            name = left.pop()
            if name in done or name in before.initializers:
                continue
            index = before.makers.get(name)
            reads = [] if index is None else before.reads(index)
            static = {each: self.static(each) for each in reads if each in before.static}
            known = there | static
            if index is None or not known.keys() >= {*reads}:
                self.statics[name].data = np.asarray(before.constants[name])
                continue
            names = before.nodes[index].output
            outputs = [self.static(each) if each else None for each in names]
            self.draft.add_copy(index, {each: known[each] for each in reads}, outputs)
            done.update(names)
            left += static

    # what is new

    def _new(self, op: Operation) -> list[Ordered]:
        """Return the results of an op by new nodes."""
        if op in self._done:
            return self._done[op]
        if isinstance(op, ConstOp):
            spec = spec_of(op.out)
            tensor = ModelTensor(self.wanted(op.out) or "constant", spec, op.array)
            tensor = self.draft.real(tensor) if self.draft.floats else tensor
            written = [Ordered(tensor, order(spec.rank))]
        elif isinstance(op, GraphOp) and op.name == "qti_aisw.Transpose":
            inner = self.value(op.operands[0])
            perm = tuple(inner.order[dim] for dim in op.ints_param("perm"))
            written = [Ordered(inner.tensor, perm)]
        else:
            written = self._only_named_anew(op) or self._together(op) or self._printed(op)
        self._done[op] = written
        return written

    def wanted(self, value: SSAValue) -> str:
        """Return the name that a value would like to have; empty without one."""
        return self.names.get(value) or value.name_hint or ""

    def _only_named_anew(self, op: Operation) -> list[Ordered]:
        """Return what a Reshape reads, where that has its shape once it is in ONNX's order.

        The height of a row is in the order of its dims alone.
        """
        if op.name != "qti_aisw.Reshape":
            return []
        inner, shape = self.value(op.operands[0]), spec_of(op.results[0]).shape
        spec, dims = inner.tensor.spec, inner.dims
        if spec is None:
            return []
        if inner.shape == (*shape[:1], *shape[2:]) and is_row(op.results[0]):
            return [Ordered(inner.tensor, (*dims[:1], ABSENT, *dims[1:]))]
        if ABSENT in inner.order and tuple(spec.shape[dim] for dim in dims) == shape:
            return [Ordered(inner.tensor, dims)]
        moved = [dim for dim in dims if spec.shape[dim] != 1]
        if moved != sorted(moved):
            return []
        same = inner.tensor if spec.shape == shape else self.draft.turned(inner.tensor, shape)
        return [] if same is None else [Ordered(same, order(len(shape)))]

    def _together(self, op: Operation) -> list[Ordered]:
        """Return the result of the last of several ops that are one to ONNX, or fewer."""
        known = isinstance(op, GraphOp) and idiom_of(op, self.draft.opset, self.value)
        if not known or not isinstance(op, GraphOp):
            return []
        (inner, write), names = known, [self.wanted(op.results[0])]
        place, there = self._place(op), len(self.draft.nodes)
        operands = [self.draft.full(inner)]
        call = PrintedOp(self.draft, op, dict(op.properties), operands, names, place, None)
        results = call.results(write(call), stored=True)
        self._placed(op, self.draft.nodes[there:])
        return results

    def _printed(self, op: Operation) -> list[Ordered]:
        printer = PRINTERS.get(op.name)
        if printer is None or not isinstance(op, GraphOp):
            self._apart.add(op)
            remedy = "leave out the pass that makes it, or lower the model instead"
            return self._missing(op, [Fault(called(op), "no op of ONNX is like it", remedy)])
        place = self._place(op)
        operands = [self.value(operand) for operand in op.operands]
        is_view = op.name == "qti_aisw.Reshape"
        if not is_view and not is_along(op):
            operands = [self.draft.full(each) for each in operands]
        faults = [fault for x in operands for fault in self.faults.get(x.tensor, ())]
        properties, after = dict(op.properties), None
        perm = None if is_view else common_order(operands)
        if perm is not None and (moved := moved_in_front(op, perm)) is not None:
            properties, after = properties | moved.properties, moved.after
            operands = [self.draft.moved(each, perm) for each in operands]
        names = [self.wanted(result) for result in op.results]
        moves = printer.stored and (is_view or not any(map(is_grid_constant, operands)))
        if printer.stored and not moves:
            # As integers a constant would have no encoding in ONNX.
            operands = [replace(each, tensor=self.draft.real(each.tensor)) for each in operands]
        call = PrintedOp(self.draft, op, properties, operands, names, place, after)
        there = len(self.draft.nodes)
        try:
            results = call.results(printer.write(call), moves)
        except HtpError as error:
            return self._missing(op, faults or error.faults)
        nodes = [node for node in self.draft.nodes[there:] if not node.kept]
        self._placed(op, nodes)
        if 1 < len(origins_of(op)) <= len(nodes):
            self._apart.add(op)
        return results

    def _place(self, op: Operation) -> int:
        """Return the place of an op's new nodes among those of the source."""
        return max(self.before.origins(op), default=len(self.before.nodes or self.draft.nodes))

    def _placed(self, op: Operation, nodes: Sequence[DraftNode]) -> None:
        """Give new nodes the place of their op, and the last one the name of its node."""
        for origin in origins_of(op)[:1]:
            for node in nodes:
                write_place(origin, node.proto)
            for node in nodes[-1:]:
                node.proto.name = origin.node

    def _missing(self, op: Operation, faults: Sequence[Fault]) -> list[Ordered]:
        """Return tensors in place of the results of an op that cannot be written."""
        missing = [
            Ordered(ModelTensor(self.wanted(result), spec_of(result)), order(spec_of(result).rank))
            for result in op.results
        ]
        self.faults |= {each.tensor: faults for each in missing}
        return missing
