"""The names of a graph's tensors, by which encodings refer to them."""

import re
from collections.abc import Container, Iterator

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue

from ...dialects.locations import node_of
from ...dialects.qti_aisw import ConstOp, GraphOp
from ...runtime.kernel.library import graph_operands
from ...runtime.program.boundary import inputs_of, main_function, outputs_of


def tensor_names(module: ModuleOp) -> dict[SSAValue, str]:
    """Name every tensor of a graph, in the order of its ops.

    An input or output has the model's name, any other tensor the name of its value, or else of its
    node. A constant without a name is named by its reader and operand: `conv1.filter`. A name that
    is taken gets a number.
    """
    main = main_function(module)
    names: dict[SSAValue, str] = {}
    taken: dict[str, int] = {}
    # Both ends first: a name of the model's is never the one that gets a number.
    boundary = [*inputs_of(main).items(), *outputs_of(main).items()]
    for wanted, value in (*boundary, *_inner(main.body.block)):
        if value in names:
            continue
        name = wanted
        while name in taken:
            taken[wanted] += 1
            name = f"{wanted}_{taken[wanted]}"
        taken[name] = 0
        names[value] = name
    return names


def tensor_called(name: str, known: Container[str]) -> str | None:
    """Find a tensor by its name in the model, which may have signs that no name of a value has."""
    plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
    return next((each for each in (name, plain) if each in known), None)


_FORMS = {f"qti_aisw.{op}" for op in ("Transpose", "Reshape", "Quantize", "Dequantize", "Cast")}


def _inner(block: Block) -> Iterator[tuple[str, SSAValue]]:
    """Yield the results of all ops, a constant's with its first reader.

    Ops that only change the form of a tensor come last, so that another op gets the node's name.
    """
    for op in sorted(block.ops, key=lambda op: op.name in _FORMS):
        if isinstance(op, ConstOp):
            continue
        if isinstance(op, GraphOp):
            for slot, value in graph_operands(op):
                if value is not None and isinstance(value.owner, ConstOp):
                    yield value.name_hint or f"{_label(op.results[0])}.{slot}", value
        for result in op.results:
            yield _label(result), result


def _label(result: SSAValue) -> str:
    op = result.owner
    if isinstance(op, Block):
        return result.name_hint or "arg"
    return result.name_hint or node_of(op) or op.name.rpartition(".")[2]
