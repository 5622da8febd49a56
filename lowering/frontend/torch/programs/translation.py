"""Programs of `torch.export` in ONNX, by PyTorch's own exporter, in memory.

An op with a conversion stays one node, whose domain and type are those of its overload. So does an
op that the exporter does not translate, and one that is refused: the import says what becomes of
it, together with all other faults.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import onnx_ir as ir
import torch
from onnx import ModelProto, defs
from onnx.defs import OpSchema
from onnxscript import values
from torch import fx
from torch.export import ExportedProgram
from torch.onnx import OnnxExporterError
from torch.onnx._internal.exporter import _core, _registration
from torch.utils import _pytree as pytree

from .....dialects.diagnostics import HtpError, fail
from ...aten.info import NodeInfo
from ...aten.refused import REFUSED
from ...onnx.reading.weights import Weights, stated
from ...onnx.schemas import VERSION, register_block_ops
from ...onnx.support.registry import BLOCK_OPS
from .freezing import frozen
from .nodes import as_list, info_of, is_op, is_random, op_of, overloads
from .quiet import quiet
from .sizes import Sizes

SCOPES = "pkg.torch.onnx.name_scopes"
"""The metadata of a node with the modules that it is inside of, outermost first, and its name."""

Overloads = set[Any]


@dataclass(frozen=True)
class Translation:
    """A program in ONNX, the data of its weights, and the nodes that stayed whole, by name.

    `program` is what the exporter took the program apart into, and `random` are the ops among the
    nodes that draw random numbers.
    """

    program: ExportedProgram
    model: ModelProto
    weights: Weights
    whole: Mapping[str, NodeInfo]
    random: frozenset[str]


def translated(
    program: ExportedProgram, sizes: Sizes, conversions: Iterable[str]
) -> Translation:
    """Return a program in ONNX, with these sizes; HtpError where the exporter fails.

    The ops of `conversions` stay whole: `aten.gelu.default`, or `aten.gelu` with all overloads.
    """
    whole = kept_whole(conversions) | _unknown(program)
    while True:
        table = {op: _node_of(op, _results(program, op)) for op in whole}
        try:
            with quiet():
                exported: Any = torch.onnx.export(
                    frozen(program, sizes),
                    dynamo=True,
                    custom_translation_table=table,
                    optimize=False,
                    verbose=False,
                )
            break
        except OnnxExporterError as error:
            # A program that was traced is not traced again: its tensors remember sizes.
            nodes = untranslated(frozen(program, sizes), whole, str(error))
            more = {node.target for node in nodes} - whole
            if not more:
                raise _failure(error) from error
            whole |= more
    nodes = [node for node in exported.exported_program.graph.nodes if is_op(node)]
    kept = [node for node in nodes if node.target in whole]
    return Translation(
        exported.exported_program,
        *_with_weights_aside(exported.model),
        {node.name: info_of(node) for node in kept},
        frozenset(op_of(node) for node in kept if is_random(node)),
    )


def kept_whole(conversions: Iterable[str]) -> Overloads:
    """Return the overloads that stay whole: those of conversions, and refused ones."""
    return {op for name in (*conversions, *REFUSED) for op in overloads(name)}


def untranslated(program: ExportedProgram, whole: Overloads, failure: str = "") -> list[fx.Node]:
    """Return the nodes of a program that the exporter does not translate.

    These are the nodes that stay `whole`, those of ops that it does not know, or takes apart into
    such, and the one that the text of a failure names.
    """
    registry = _registry()
    for op in whole:
        registry.register_op(op, _node_of(op, 1))
    with quiet():
        decomposed = _core._prepare_exported_program_for_export(program, registry=registry)
    known = {node.name: node for node in program.graph.nodes}
    nodes: dict[fx.Node, None] = {}
    for node in filter(is_op, decomposed.graph.nodes):
        is_whole = node.target in whole or node.format_node() in failure
        if is_whole or not registry.is_registered(node.target):
            source = next((each.name for each in node.meta.get("from_node", ())), node.name)
            origin = known.get(source, node)
            nodes[node if origin.target in whole else origin] = None
    return list(nodes)


def translations(op: str) -> list[str]:
    """Return the functions by which the exporter translates an op, or all its overloads."""
    registry = _registry()
    rows = (row for overload in overloads(op) for row in registry.get_decomps(overload))
    return list(dict.fromkeys(row.onnx_function.__name__ for row in rows))


def _unknown(program: ExportedProgram) -> Overloads:
    """Return the overloads of a program that are neither translated nor taken apart."""
    targets = {node.target for node in program.graph.nodes if is_op(node)}
    parts = torch.export.default_decompositions()
    return {
        op
        for op in targets
        if op.name() not in _translated_names()
        and op not in parts
        and op not in torch._decomp.decomposition_table
        and not op._can_decompose()
    }


@cache
def _translated_names() -> frozenset[str]:
    return frozenset(map(str, _registry().functions))


def _registry() -> Any:
    with quiet():
        return _registration.ONNXRegistry.from_torchlib()


def _node_of(op: Any, results: int) -> Callable[..., Any]:
    """Return a translation of an op as one node: tensors are its inputs in the schema's order.

    A block op has its own schema, and its attributes.
    """
    if op.namespace == BLOCK_OPS:
        register_block_ops()
        name = op._schema.name.rpartition(":")[2]
        block = values.Op(values.Opset(BLOCK_OPS, VERSION), name, defs.get_schema(name, BLOCK_OPS))
        return lambda *inputs, **stated: block(
            *inputs, **{name: value for name, value in stated.items() if value is not None}
        )

    def build(*args: Any, **kwargs: Any) -> Any:
        ordered = [*args, *(kwargs.get(a.name) for a in op._schema.arguments[len(args) :])]
        tensors = [leaf for leaf in pytree.tree_leaves(ordered) if isinstance(leaf, ir.Value)]
        schema = OpSchema(
            op.__name__,
            op.namespace,
            1,
            inputs=[OpSchema.FormalParameter(f"x{n}", f"T{n}") for n in range(len(tensors))],
            outputs=[OpSchema.FormalParameter(f"y{n}", "T") for n in range(results)],
            type_constraints=[
                (name, ["tensor(float)"], "")
                for name in ("T", *(f"T{n}" for n in range(len(tensors))))
            ],
        )
        outputs = values.Op(values.Opset(op.namespace, 1), op.__name__, schema)(*tensors)
        is_list = "[]" in str(op._schema.returns[0].type)
        return (outputs,) if is_list and results == 1 else outputs

    return build


def _results(program: ExportedProgram, op: Any) -> int:
    """Count the results of an op; of a list, the longest that a node of the program has."""
    nodes = (node for node in program.graph.nodes if node.target == op)
    counts = (len(as_list(node.meta["val"])) for node in nodes)
    return max(counts, default=len(op._schema.returns))


def _with_weights_aside(model: Any) -> tuple[ModelProto, Weights]:
    """Return a model of the exporter, whose nodes have the program's names, and its weights."""
    arrays = {name: value.const_value.numpy() for name, value in model.graph.initializers.items()}
    model.graph.initializers.clear()
    proto = ir.to_proto(model)
    proto.graph.name = "forward"
    for node in proto.graph.node:
        scopes = [each.value for each in node.metadata_props if each.key == SCOPES]
        node.name = literal_eval(scopes[0])[-1] if scopes else node.name
    proto.graph.initializer.extend(stated(array, name) for name, array in arrays.items())
    aside = {tensor.name for tensor in proto.graph.initializer if tensor.external_data}
    return proto, {name: array for name, array in arrays.items() if name in aside}


def _failure(error: Exception) -> HtpError:
    """Return the fault of an export that no op explains."""
    cause: BaseException = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    lines = [line for line in str(cause).splitlines() if line.strip()]
    problem = f"torch.onnx.export fails: {lines[0] if lines else type(cause).__name__}"
    return fail("program", problem, "see torch.onnx.export(program, dynamo=True)")
