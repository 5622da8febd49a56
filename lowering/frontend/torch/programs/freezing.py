"""An exported program with sizes for its symbolic dims put in, and tensors alone as its results.

PyTorch's ONNX exporter takes no number as a result, and spells symbolic sizes out as ops. Both end
here: inputs get their shapes, numbers among them become arguments of the nodes that read them. All
that follows from sizes is computed when the exporter traces the program again.

ATen's own quantised tensors become stored integers, which ONNX and the exporter know:
`quantize_per_tensor(x, scale, zero, quint8)` and `dequantize` become the ops of
`quantized_decomposed` that PyTorch's quantisation writes, with the same numbers.

A symbol stands in several dims, and has a name for each: that of its `torch.export.Dim`, and
`input:axis`. Sizes go by any of them; conditions of the export are tested with the numbers put in.
Cost: linear in the dims and the conditions.

Example: of inputs `x: [s0, 8]` and `y: [2*s0]` with `Dim("batch")` for s0 the names are `batch` and
`x:0`. `batch=4` makes them [4, 8] and [8]; `batch=4, x:0=2` is refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, fx
from torch.ao.quantization.fx import _decomposed
from torch.export import ExportedProgram
from torch.export.graph_signature import ConstantArgument, ExportGraphSignature, OutputKind
from torch.utils import _pytree as pytree

from .....dialects.diagnostics import Fault, listed

_NUMBERS = {torch.SymInt: int, torch.SymFloat: float, torch.SymBool: bool}


@dataclass(frozen=True)
class Sizes:
    """The number that represents each symbol of a program's shapes."""

    by_symbol: Mapping[Any, int]

    def number(self, value: Any) -> Any:
        """Return a symbolic number as a number; itself where it is none, or depends on data."""
        if type(value) not in _NUMBERS:
            return value
        known = value.node.expr.subs(dict(self.by_symbol))
        return value if known.free_symbols else _NUMBERS[type(value)](known)

    def shape(self, tensor: Tensor) -> tuple[int, ...] | None:
        """Return the shape of a tensor; None where a dim depends on data."""
        dims = [self.number(dim) for dim in tensor.shape]
        return tuple(dims) if all(isinstance(dim, int) for dim in dims) else None


def read_sizes(program: ExportedProgram, dims: Mapping[str, int]) -> tuple[Sizes, list[Fault]]:
    """Return the sizes that `dims` gives, and the faults of what it gives, or leaves open.

    A dim goes by the name of its `torch.export.Dim`, or by `input:axis`.
    """
    named = list(_names(program))
    symbols = {name: symbol for name, symbol, _ in named}
    faults = [*_option_faults(program, symbols, dims)]
    by_symbol = {symbols[name]: size for name, size in dims.items() if name in symbols}
    # The first name of each symbol, which is that of its Dim where it has one.
    first = {symbol: (name, owner) for name, symbol, owner in reversed(named)}
    for symbol, (name, owner) in reversed(first.items()):
        if symbol not in by_symbol:
            remedy = f"fix it: htp-opt --dim {name}=1, or dims={{'{name}': 1}}"
            faults.append(Fault(f"dim '{name}' of input '{owner}'", "has no size", remedy))
    sizes = Sizes(by_symbol)
    return sizes, faults or [*_guard_faults(program, sizes), *_assertion_faults(program, sizes)]


def _guard_faults(program: ExportedProgram, sizes: Sizes) -> Iterator[Fault]:
    """Yield what the export took for granted and the sizes break: a branch, a division."""
    values = (node.meta.get("val") for node in program.graph.find_nodes(op="placeholder"))
    dims = [dim for value in values if isinstance(value, Tensor) for dim in value.shape]
    symbolic = [dim for dim in dims if isinstance(dim, torch.SymInt)]
    for guard in symbolic[0].node.shape_env.guards if symbolic else ():
        known = guard.expr.subs(dict(sizes.by_symbol))
        if not known.free_symbols and not bool(known):
            remedy = "give other sizes, or export the module with an example of these"
            yield Fault("dims", f"were exported on the condition {guard.expr}", remedy)


def _assertion_faults(program: ExportedProgram, sizes: Sizes) -> Iterator[Fault]:
    """Yield what the module asserts of its sizes, and does not hold."""
    asserts = torch.ops.aten._assert_scalar.default
    for node in program.graph.find_nodes(op="call_function", target=asserts):
        condition, message = node.args
        if isinstance(condition, fx.Node) and sizes.number(condition.meta["val"]) is False:
            yield Fault(f"node '{node.name}'", message, "use other dims")


def _names(program: ExportedProgram) -> Iterator[tuple[str, Any, str]]:
    """Yield the names of each symbol with the input: of its Dim, and `input:axis`."""
    for node in program.graph.find_nodes(op="placeholder"):
        value = node.meta.get("val")
        for axis, dim in enumerate(value.shape if isinstance(value, Tensor) else [value]):
            expression = dim.node.expr if isinstance(dim, torch.SymInt) else None
            for symbol in sorted(getattr(expression, "free_symbols", ()), key=str):
                environment = dim.node.shape_env
                stated = environment.source_name_to_debug_name
                for source in environment.var_to_sources.get(symbol, ()):
                    # A Dim that inputs have only multiples of is its own source.
                    name = source.name if source.name.isidentifier() else stated.get(source.name)
                    yield from [(name, symbol, node.name)] if name else []
                if symbol == expression:
                    yield f"{node.name}:{axis}", symbol, node.name


def _option_faults(
    program: ExportedProgram, symbols: Mapping[str, Any], dims: Mapping[str, int]
) -> Iterator[Fault]:
    stated: dict[Any, str] = {}
    for name, size in dims.items():
        if name not in symbols:
            known = listed(name, symbols, "symbolic are:")
            yield Fault(f"dim '{name}'", "is no symbolic dim of the module", known)
            continue
        first = stated.setdefault(symbols[name], name)
        if dims[first] != size:
            problem = f"is also '{first}', which has the size {dims[first]}"
            yield Fault(f"dim '{name}'", problem, "give it one size")
        bounds = program.range_constraints.get(symbols[name])
        if size < 1 or (bounds is not None and not bounds.lower <= size <= bounds.upper):
            remedy = f"it lies between {bounds.lower} and {bounds.upper}" if bounds else "use >= 1"
            yield Fault(f"dim '{name}'", f"cannot have the size {size}", remedy)


_INTEGERS = {torch.quint8: torch.uint8, torch.qint8: torch.int8, torch.qint32: torch.int32}
_OPS = _decomposed.quantized_decomposed_lib and torch.ops.quantized_decomposed
_PAIRS: dict[Any, tuple[Any, Any]] = {
    torch.ops.aten.quantize_per_tensor.default: (
        _OPS.quantize_per_tensor.default,
        _OPS.dequantize_per_tensor.default,
    ),
    torch.ops.aten.quantize_per_channel.default: (
        _OPS.quantize_per_channel.default,
        _OPS.dequantize_per_channel.default,
    ),
}
"""The ops there and back by ATen's op."""


def _store_quantised(graph: fx.Graph) -> None:
    """Put stored integers in place of quantised tensors that are dequantised again."""
    for node in graph.find_nodes(op="call_function", target=torch.ops.aten.dequantize.self):
        source = node.args[0]
        if source.target in _PAIRS:
            _, back = _PAIRS[source.target]
            node.target, node.args = back, (source, *_encoding(source))
    for op, (there, _) in _PAIRS.items():
        for node in graph.find_nodes(op="call_function", target=op):
            node.args = (node.args[0], *_encoding(node))
            node.target = there


def _encoding(node: fx.Node) -> tuple[Any, ...]:
    """Return scale, zero point, axis where there is one, range and dtype of a quantised node."""
    *encoding, dtype = node.args[1:]
    integers = _INTEGERS[dtype]
    ends = torch.iinfo(integers)
    return (*encoding, ends.min, ends.max, integers)


def frozen(program: ExportedProgram, sizes: Sizes) -> ExportedProgram:
    """Return a copy of a program of static shapes whose results are its tensors, each by itself."""
    graph, copies = fx.Graph(), dict[fx.Node, fx.Node]()
    graph.graph_copy(program.graph, copies)
    for node, copy in copies.items():
        # The graph itself would give `input` another name, as Python has a function of that name.
        copy.name, copy.meta = node.name, dict(node.meta)
    signature = program.graph_signature
    inputs = list(signature.input_specs)
    for place, node in enumerate(graph.find_nodes(op="placeholder")):
        value = node.meta.get("val")
        if isinstance(value, Tensor):
            node.meta["val"] = _static(value, sizes)
        elif value is not None and (number := sizes.number(value)) is not value:
            node.meta["val"] = number
            inputs[place] = replace(inputs[place], arg=ConstantArgument(node.name, number))
            _put_in(node, number)
    _store_quantised(graph)
    results = zip(signature.output_specs, program.graph.output_node().args[0], strict=True)
    kept = [(spec, copies[node]) for spec, node in results if is_tensor(node)]
    graph.output(tuple(node for _, node in kept)).meta = dict(program.graph.output_node().meta)
    specs = [spec for spec, _ in kept]
    return ExportedProgram(
        root=fx.GraphModule(program.graph_module, graph),
        graph=graph,
        graph_signature=ExportGraphSignature(inputs, specs),
        state_dict=program.state_dict,
        range_constraints={},
        module_call_graph=[_call(program, specs), *program.module_call_graph[1:]],
        constants=program.constants,
        verifiers=program.verifiers,
    )


def is_tensor(node: object) -> bool:
    """Tell whether a result of a program is a tensor, not a number or None."""
    return isinstance(node, fx.Node) and isinstance(node.meta.get("val"), Tensor)


def _static(tensor: Any, sizes: Sizes) -> Tensor:
    with tensor.fake_mode:
        return torch.empty(sizes.shape(tensor), dtype=tensor.dtype)


def _put_in(node: fx.Node, number: float) -> None:
    """Put a number in place of the node that represents it."""
    for user in list(node.users):
        args, kwargs = (
            fx.map_arg(part, lambda each: number if each is node else each)
            for part in (user.args, user.kwargs)
        )
        user.args, user.kwargs = args, kwargs


def _call(program: ExportedProgram, specs: Sequence[Any]) -> Any:
    """Return the signature of the program's own call with these results."""
    entry = program.module_call_graph[0]
    users = [spec.arg for spec in specs if spec.kind is OutputKind.USER_OUTPUT]
    structure = pytree.tree_structure((0,) * len(users))
    return replace(entry, signature=replace(entry.signature, outputs=users, out_spec=structure))
