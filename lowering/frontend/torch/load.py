"""Modules of PyTorch as graph IR: PyTorch exports them to ONNX in memory, which is imported.

Questions about ops are answered here: what is registered for one, what a module needs and nobody
has.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from onnx import ModelProto
from onnx.helper import make_node, np_dtype_to_tensor_dtype
from onnx.numpy_helper import from_array
from torch import Tensor, fx, nn
from torch.export import ExportedProgram
from torch.export.graph_signature import InputKind, OutputKind
from torch.utils import _pytree as pytree
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ....dialects.diagnostics import Fault, HtpError, fail
from ....dialects.locations import names_attr
from ....dialects.qti_aisw.ops.custom import TORCH
from ...importers.aten.node import AtenNode
from ...importers.aten.others import REFUSED, Refusal, refusal
from ...importers.aten.quantized import DEQUANTIZES
from ...importers.aten.registry import Convert, TorchConversion, TorchConversions, of_op
from ...importers.graph.value import UnknownType, Value
from ...importers.support.registry import NodeContext, OnnxImporter
from ...packages import Packages, op_package
from ...packages.loading import installed
from ..onnx import imported
from ..onnx.blocks.append import free_name
from .programs.executors import (
    TorchExecutor,
    TorchExecutors,
    array_of,
    dtype_of_tensor,
    keep,
    line_of,
    op_of,
)
from .programs.freezing import Sizes, is_tensor, read_sizes
from .programs.translation import (
    Translation,
    kept_whole,
    quiet,
    translated,
    translations,
    untranslated,
)

Results = Sequence[tuple[str, Any]]
"""The node or the number of each result by its name; None is left out."""


def _results_of(program: ExportedProgram, sizes: Sizes) -> Results:
    """Return the results of a program: each is a node of a tensor, or a number."""
    specs, nodes = program.graph_signature.output_specs, program.graph.output_node().args[0]
    users: list[Any] = [
        node if is_tensor(node) or not isinstance(node, fx.Node) else sizes.number(node.meta["val"])
        for spec, node in zip(specs, nodes, strict=True)
        if spec.kind is OutputKind.USER_OUTPUT
    ]
    named = zip(_names(program.call_spec.out_spec, users), users, strict=True)
    return [(name, value) for name, value in named if value is not None]


def _names(structure: Any, outputs: Sequence[object]) -> list[str]:
    """Name each result: by its keys where dicts hold it, else by the node that makes it.

    A name that is taken gets a number.
    """
    tree = pytree.tree_unflatten(list(range(len(outputs))), structure)
    leaves, _ = pytree.tree_flatten_with_path(tree)
    names: dict[str, None] = {}
    for (path, _leaf), output in zip(leaves, outputs, strict=True):
        name = ".".join(str(getattr(key, "key", getattr(key, "idx", key))) for key in path)
        if not any(isinstance(key, pytree.MappingKey) for key in path):
            name = output.name if isinstance(output, fx.Node) else f"output_{len(names)}"
        tries = (name if n == 0 else f"{name}_{n}" for n in range(len(outputs) + 1))
        names[next(each for each in tries if each not in names)] = None
    return list(names)


def _state_results(model: ModelProto, results: Results) -> None:
    """Give a model of the exporter, which has the tensors alone, all results in their order.

    Each has a name of its own there, whatever else has the result's name.
    """
    graph = model.graph
    tensors = iter([(value.name, value.type) for value in graph.output])
    del graph.output[:]
    taken = {name for node in graph.node for name in node.output}
    taken |= {value.name for value in (*graph.input, *graph.initializer)}
    for name, value in results:
        taken.add(result := free_name(name, taken))
        output = graph.output.add(name=result)
        if isinstance(value, fx.Node):
            source, type_ = next(tensors)
            graph.value_info.add(name=source, type=type_)
            output.type.CopyFrom(type_)
        else:
            array = array_of(torch.tensor(value))
            taken.add(source := free_name(f"{name}.number", taken))
            graph.initializer.append(from_array(array, source))
            output.type.tensor_type.elem_type = np_dtype_to_tensor_dtype(array.dtype)
            output.type.tensor_type.shape.SetInParent()
        graph.node.append(make_node("Identity", [source], [result]))


def _name_results(module: ModuleOp, results: Results) -> None:
    """Name the results of the function of a module as those of its program."""
    for op in module.ops:
        if isinstance(op, FuncOp):
            op.res_attrs = names_attr([name for name, _ in results])


def _with_importers(
    packages: Packages,
    translation: Translation,
    table: Mapping[str, TorchConversion],
    *,
    fallback: bool,
) -> Packages:
    """Return packages that import the ops that stayed whole, too, by the conversions in a table.

    With `fallback` an op that has none is kept, but for a random one.
    """
    importers = []
    for op in {info.op for info in translation.whole.values()}:
        row = of_op(table, op)
        convert = row.function if row else None
        if convert is None and fallback and op not in translation.random:
            convert = keep
        function = partial(_import, convert, translation, packages)
        domain, _, name = op.partition(".")
        dequantizes = of_op(DEQUANTIZES, op) is not None
        importers.append(OnnxImporter(domain, name, function, keeps_stored=dequantizes))
    return Packages((*packages.members, op_package(TORCH, importers=[importers])))


def _import(
    convert: Convert | None, translation: Translation, packages: Packages, context: NodeContext
) -> Sequence[Value | None]:
    """Build the ops of a node that stayed whole; NodeFault where it has no conversion."""
    info = translation.whole[context.node.name]
    if convert is None:
        raise refusal(info.op, is_random=info.op in translation.random)
    for index in range(len(context.node.input)):
        context.value(index)
    return AtenNode(info, context, packages.importers).converted(convert)


_WRITTEN = {
    OutputKind.BUFFER_MUTATION: "buffer",
    OutputKind.USER_INPUT_MUTATION: "input",
    OutputKind.PARAMETER_MUTATION: "parameter",
}


def _dtype_faults(program: ExportedProgram, results: Results) -> Iterator[Fault]:
    """Yield the inputs and results of dtypes that a graph does not have.

    PyTorch's exporter makes two numbers of a complex one.
    """
    inputs = zip(
        program.graph_signature.input_specs, program.graph.find_nodes(op="placeholder"), strict=True
    )
    users = [(node.name, node) for spec, node in inputs if spec.kind is InputKind.USER_INPUT]
    for kind, named in (("input", users), ("output", results)):
        for name, node in named:
            value = node.meta.get("val") if isinstance(node, fx.Node) else node
            if (problem := _dtype_problem(value)) is not None:
                yield Fault(f"{kind} '{name}'", problem, "cast it before")


def _dtype_problem(value: Any) -> str | None:
    if isinstance(value, Tensor):
        try:
            dtype_of_tensor(value)
        except UnknownType as problem:
            return str(problem)
    return None


def _state_faults(program: ExportedProgram) -> Iterator[Fault]:
    """Yield the state that a program, taken apart, writes; PyTorch's exporter passes over it.

    An input that is written and returned, such as a cache, loses nothing.
    """
    specs = program.graph_signature.output_specs
    returned = {spec.arg.name for spec in specs if spec.kind is OutputKind.USER_OUTPUT}
    for spec in specs:
        is_returned = spec.kind is OutputKind.USER_INPUT_MUTATION and spec.arg.name in returned
        if spec.kind in _WRITTEN and not is_returned:
            problem = "is written by the module, and its state would be lost"
            remedy = "use Buffer, StatefulGru or StatefulLstm, or return the new state"
            yield Fault(f"{_WRITTEN[spec.kind]} '{spec.target}'", problem, remedy)


def load_torch(
    module: nn.Module | ExportedProgram,
    args: tuple[Any, ...] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: Any = None,
    dims: Mapping[str, int] | None = None,
    conversions: Iterable[TorchConversions] = (),
    packages: Packages | None = None,
    fallback: bool = False,
) -> ModuleOp:
    """Return the graph-level module of a PyTorch module, called with these arguments.

    An exported program needs no arguments. Their shapes are those of the graph, but for
    `dynamic_shapes`, which `torch.export` takes; `dims` gives the symbolic dims their sizes, by
    the names of their Dims or by `input:axis`. `conversions` are the user's own, which come before
    those of the `packages` in use, by default the installed ones, and these before PyTorch's
    ONNX exporter. With `fallback` an op that nothing converts stays as `qti_aisw.Custom` of the
    package `torch`, which a session with `torch_library` runs and lowering refuses.

    Results are named by their keys in dicts, else by their nodes; a number is a scalar, None is
    left out. Raises HtpError with every fault: ops without a conversion, with the line of Python
    that they come from, buffers that the module writes, dims without a size.
    """
    program = exported(module, args, kwargs, dynamic_shapes)
    packages = packages or installed()
    return _graph_of(program, dims or {}, packages, conversions, fallback=fallback)


def _graph_of(
    program: ExportedProgram,
    dims: Mapping[str, int],
    packages: Packages,
    conversions: Iterable[TorchConversions],
    *,
    fallback: bool,
) -> ModuleOp:
    table = conversion_table(packages, conversions)
    sizes, faults = read_sizes(program, dims)
    if faults:
        # Without its sizes nothing else can be said.
        raise HtpError(*faults)
    results = _results_of(program, sizes)
    faults = [*_dtype_faults(program, results)]
    try:
        translation = translated(program, sizes, table)
        faults += _state_faults(translation.program)
        _state_results(translation.model, results)
        known = _with_importers(packages, translation, table, fallback=fallback)
        graph = imported(translation.model, translation.weights, {}, {}, known)
    except HtpError as error:
        raise HtpError(*faults, *error.faults) from error
    if faults:
        raise HtpError(*faults)
    _name_results(graph, results)
    return graph


def conversion_table(
    packages: Packages, conversions: Iterable[TorchConversions]
) -> Mapping[str, TorchConversion]:
    """Return the conversion of each op, a user's first, then a package's."""
    return {**packages.torch_conversions, **{row.op: row for rows in conversions for row in rows}}


def exported(
    module: nn.Module | ExportedProgram,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None,
    dynamic_shapes: Any = None,
) -> ExportedProgram:
    """Export a module in evaluation mode, which it is put back from; HtpError where that fails."""
    if isinstance(module, ExportedProgram):
        return module
    training = [part for part in module.modules() if part.training]
    try:
        with quiet():
            return torch.export.export(
                module.eval(), args, dict(kwargs or {}), dynamic_shapes=dynamic_shapes
            )
    except HtpError:
        raise
    except Exception as error:
        lines = [line for line in str(error).splitlines() if line.strip()]
        problem = f"torch.export fails: {lines[0] if lines else type(error).__name__}"
        remedy = "see torch.export.export(module, args)"
        raise fail(type(module).__name__, problem, remedy) from error
    finally:
        for part in training:
            part.training = True


@dataclass(frozen=True)
class OpSupport:
    """All that is registered for an op of PyTorch; None where there is nothing.

    `translation` names the function by which PyTorch's exporter writes it in ONNX; an op without
    one may be taken apart. `refusal` says why an op is refused.
    """

    op: str
    conversion: TorchConversion | None = None
    executor: TorchExecutor | None = None
    translation: str | None = None
    refusal: Refusal | None = None


def registered(
    op: str,
    *,
    conversions: Iterable[TorchConversions] = (),
    executors: Iterable[TorchExecutors] = (),
    packages: Packages | None = None,
) -> OpSupport:
    """Return what is registered for an op: `aten.add.Tensor`, or `aten.add`."""
    table = conversion_table(packages or installed(), conversions)
    run = {row.op: row for rows in executors for row in rows}
    translation = next(iter(translations(op)), None)
    return OpSupport(op, of_op(table, op), of_op(run, op), translation, of_op(REFUSED, op))


def unconverted(
    module: nn.Module | ExportedProgram,
    args: tuple[Any, ...] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    conversions: Iterable[TorchConversions] = (),
    packages: Packages | None = None,
) -> dict[str, list[str]]:
    """Return the ops of a module that nothing converts, each with the lines that need it.

    HtpError where `torch.export` fails.
    """
    table = conversion_table(packages or installed(), conversions)
    program = exported(module, args, kwargs)
    whole = kept_whole(table)
    missing: dict[str, list[str]] = {}
    for node in untranslated(program, whole):
        if of_op(table, op_of(node)) is None:
            missing.setdefault(op_of(node), []).append(line_of(node))
    return missing
