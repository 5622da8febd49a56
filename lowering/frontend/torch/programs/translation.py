"""Programs of `torch.export` in ONNX, by PyTorch's own exporter, in memory.

This is what `torch.onnx.export(program, dynamo=True, custom_translation_table=...)` does, but for
its translations, which are collected once: that takes longer than the export of a small module.

An op with a conversion stays one node, whose domain and type are those of its overload. So does an
op that the exporter does not translate, and one that is refused: the import says what becomes of
it, together with all other faults.
"""

import logging
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

import onnx_ir as ir
import torch
from onnx import ModelProto, defs
from onnx.defs import OpSchema
from onnxscript.values import Op, Opset
from torch import fx
from torch.export import ExportedProgram
from torch.onnx._internal.exporter import _core, _registration
from torch.utils import _pytree as pytree

from .....dialects.diagnostics import HtpError, fail
from ....importers.aten.node import NodeInfo
from ....importers.aten.others import REFUSED
from ....importers.aten.registry import TorchConversion, When
from ....importers.support.registry import BLOCK_OPS
from ....importers.support.schemas import VERSION, register_block_ops
from ...onnx.preparation.nodes import scopes_of
from ...onnx.preparation.versions import OPSET
from ...onnx.reading.weights import Weights, stated
from .executors import as_list, info_of, is_op, is_random, op_of, overloads
from .freezing import Sizes, frozen

_LOGGERS = ("torch.export", "torch.onnx", "torch._subclasses.fake_tensor")


@contextmanager
def quiet() -> Iterator[None]:
    """Drop the warnings and the log of PyTorch's exporters; errors are raised all the same."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


Whole = dict[Any, When | None]
"""The overloads that stay whole; of those with a condition the nodes that it holds for."""


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
    program: ExportedProgram, sizes: Sizes, conversions: Mapping[str, TorchConversion]
) -> Translation:
    """Return a program in ONNX, with these sizes; HtpError where the exporter fails.

    The ops of `conversions` stay whole: `aten.gelu.default`, or `aten.gelu` with all overloads.
    """
    whole = {**kept_whole(conversions), **dict.fromkeys(_unknown(program))}
    while True:
        results = {op: _results(program, op) for op in whole}
        try:
            with quiet():
                exported: Any = _core.export(
                    frozen(program, sizes),
                    registry=_registry(whole, results),
                    opset_version=OPSET,
                    optimize=False,
                    verbose=False,
                )
            break
        except Exception as error:
            more = _more(program, sizes, whole, error)
            if not more:
                raise _failure(error) from error
            whole |= dict.fromkeys(more)
    model, weights = _with_weights_aside(exported.model)
    domains = {node.name: node.domain for node in model.graph.node}
    nodes = [
        node
        for node in exported.exported_program.graph.nodes
        if is_op(node) and domains.get(node.name) == node.target.namespace
    ]
    return Translation(
        exported.exported_program,
        model,
        weights,
        {node.name: info_of(node) for node in nodes},
        frozenset(op_of(node) for node in nodes if is_random(node)),
    )


def kept_whole(conversions: Mapping[str, TorchConversion]) -> Whole:
    """Return the overloads that stay whole: those of conversions, and refused ones."""
    refused = {op: None for name in REFUSED for op in overloads(name)}
    rows = ((name, row.when) for name, row in conversions.items())
    return refused | {op: when for name, when in rows for op in overloads(name)}


def untranslated(program: ExportedProgram, whole: Whole, failure: str = "") -> list[fx.Node]:
    """Return the nodes of a program that the exporter does not translate.

    These are the nodes of ops that stay `whole` at all times, those of ops that it does not know,
    or takes apart into such, and the one that the text of a failure names.
    """
    registry = _registry(whole)
    with quiet():
        decomposed = _core._prepare_exported_program_for_export(program, registry=registry)
    known = {node.name: node for node in program.graph.nodes}
    nodes: dict[fx.Node, None] = {}
    for node in filter(is_op, decomposed.graph.nodes):
        is_whole = whole.get(node.target, _never) is None or node.format_node() in failure
        if is_whole or not registry.is_registered(node.target):
            source = next((each.name for each in node.meta.get("from_node", ())), node.name)
            origin = known.get(source, node)
            nodes[node if origin.target in whole else origin] = None
    return list(nodes)


def _never(args: object) -> bool:
    return False


def translations(op: str) -> list[str]:
    """Return the functions by which the exporter translates an op, or all its overloads."""
    rows = (row for overload in overloads(op) for row in _known().get_decomps(overload))
    return list(dict.fromkeys(row.onnx_function.__name__ for row in rows))


def _unknown(program: ExportedProgram) -> set[Any]:
    """Return the overloads of a program that are neither translated nor taken apart."""
    targets = {node.target for node in program.graph.nodes if is_op(node)}
    parts = torch.export.default_decompositions()
    return {
        op
        for op in targets
        if not _known().is_registered(op)
        and op not in parts
        and op not in torch._decomp.decomposition_table
        and not op._can_decompose()
    }


@cache
def _known() -> Any:
    """Return the translations of the exporter alone; they take a while to be collected."""
    with quiet():
        return _registration.ONNXRegistry.from_torchlib(OPSET)


def _registry(whole: Whole, results: Mapping[Any, int] = MappingProxyType({})) -> Any:
    """Return the translations of the exporter, and those of the ops that stay whole."""
    registry = copy(_known())
    registry.functions = {op: list(rows) for op, rows in registry.functions.items()}
    with quiet():
        for op, when in whole.items():
            registry.register_op(op, _Kept(op, results.get(op, 1), when).translation())
    return registry


@dataclass(frozen=True)
class _Kept:
    """The translation of an op as one node, of all nodes or of those that `when` holds for."""

    op: Any
    results: int
    when: When | None = None

    def translation(self) -> Callable[..., Any]:
        """Return the translation as a function, which the exporter calls and sets attributes on."""
        return lambda *args, **kwargs: self._built(args, kwargs)

    def _built(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Build the node: tensors are its inputs in the schema's order."""
        schema = self.op._schema.arguments
        values = {a.name: a.default_value if a.has_default_value() else None for a in schema}
        values |= {**dict(zip(values, args, strict=False)), **kwargs}
        if self.when is not None and not self.when(values):
            (row, *_) = _known().get_decomps(self.op)
            return row.onnx_function(*args, **kwargs)
        if self.op.namespace == BLOCK_OPS:
            return self._block(values)
        tensors = [leaf for leaf in pytree.tree_leaves(values) if isinstance(leaf, ir.Value)]
        outputs = self._node(len(tensors))(*tensors)
        is_list = "[]" in str(self.op._schema.returns[0].type)
        return (outputs,) if is_list and self.results == 1 else outputs

    def _block(self, values: Mapping[str, Any]) -> Any:
        """Build a block op, which has its own schema, and its attributes."""
        register_block_ops()
        arguments = self.op._schema.arguments
        inputs = [values[a.name] for a in arguments if not a.kwarg_only]
        stated = {a.name: values[a.name] for a in arguments if a.kwarg_only}
        attributes = {name: value for name, value in stated.items() if value is not None}
        name = self.op._schema.name.rpartition(":")[2]
        schema = defs.get_schema(name, BLOCK_OPS)
        return Op(Opset(BLOCK_OPS, VERSION), name, schema)(*inputs, **attributes)

    def _node(self, inputs: int) -> Op:
        """Return an ONNX op of the overload's name, whose tensors are of any types."""
        types = [f"T{n}" for n in range(inputs)] + ["T"]
        schema = OpSchema(
            self.op.__name__,
            self.op.namespace,
            1,
            inputs=[OpSchema.FormalParameter(f"x{n}", types[n]) for n in range(inputs)],
            outputs=[OpSchema.FormalParameter(f"y{n}", "T") for n in range(self.results)],
            type_constraints=[(name, ["tensor(float)"], "") for name in types],
        )
        return Op(Opset(self.op.namespace, 1), self.op.__name__, schema)


def _more(program: ExportedProgram, sizes: Sizes, whole: Whole, error: Exception) -> set[Any]:
    """Return the overloads that have to stay whole, too, for a failure not to come again."""
    try:
        # A program that was traced is not traced again: its tensors remember sizes.
        nodes = untranslated(frozen(program, sizes), whole, str(error))
    except Exception:
        # The program cannot be taken apart at all, as the failure says.
        return set()
    return {node.target for node in nodes} - {op for op, when in whole.items() if when is None}


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
        node.name = next(reversed(scopes_of(node)), node.name)
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
