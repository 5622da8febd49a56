"""Core ATen: no op is passed over, and what comes of the ops is what PyTorch computes."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from htp_mlir.lowering import lower
from htp_mlir.lowering.frontend.torch import load_torch, registered
from htp_mlir.lowering.frontend.torch.programs.executors import overloads
from htp_mlir.lowering.importers.aten import others
from htp_mlir.lowering.importers.aten.others import REFUSED
from htp_mlir.runtime import Session

from .cases.case import Calls, Case
from .cases.cases_beyond import BEYOND
from .cases.cases_elementwise import BINARY, UNARY
from .cases.cases_layers import LAYERS
from .cases.cases_moves import INDEX, REDUCTIONS, SHAPES

pytestmark = pytest.mark.needs("torch")

FAMILIES: dict[str, list[Case]] = {
    "unary": UNARY,
    "binary": BINARY,
    "shapes": SHAPES,
    "index": INDEX,
    "reductions": REDUCTIONS,
    "layers": LAYERS,
    "beyond": BEYOND,
}
SIZE = 12
"""Cases in one module: most of the time goes into the export, once per module."""
CHUNKS = [
    pytest.param(name, cases[start : start + SIZE], id=f"{name}{start}")
    for name, cases in FAMILIES.items()
    for start in range(0, len(cases), SIZE)
]


@pytest.mark.one_per
@pytest.mark.parametrize(("family", "cases"), CHUNKS)
def test_ops_are_those_of_pytorch(family: str, cases: list[Case]) -> None:
    inputs = [tensor for case in cases for tensor in case.inputs()]
    module = load_torch(Calls(cases), tuple(inputs))
    for level in (module, lower(module)):
        session = Session(level, check=True)
        feeds = {n: x.numpy() for n, x in zip(session.inputs, inputs, strict=True)}
        outs = iter(session.run(feeds).values())
        for case in cases:
            for wanted in case.results():
                out = next(outs)
                # Sums in another order: a few units in the last place of f32.
                np.testing.assert_allclose(out, wanted.numpy(), 1e-5, 2e-6, err_msg=case.op)
                assert out.dtype == wanted.numpy().dtype, case.op


def core() -> Iterator[torch._ops.OpOverload]:
    """Yield the overloads of core ATen."""
    for name in dir(torch.ops.aten):
        packet = getattr(torch.ops.aten, name)
        for overload in getattr(packet, "overloads", list)():
            op = getattr(packet, overload)
            if torch.Tag.core in op.tags:
                yield op


def name_of(op: torch._ops.OpOverload) -> str:
    return f"aten.{op.__name__}"


def is_computed(op: torch._ops.OpOverload) -> bool:
    """Tell whether an op is computed at import: it takes no tensor, or says a size."""
    takes = any("Tensor" in str(argument.type) for argument in op._schema.arguments)
    return not takes or name_of(op).startswith("aten.sym_")


def test_no_op_of_core_aten_is_forgotten() -> None:
    parts = {**torch.export.default_decompositions(), **torch._decomp.decomposition_table}
    ops = {name_of(op): op for op in core()}
    assert len(ops) > 180
    support = {name: registered(name) for name in ops}
    taken = {n for n, s in support.items() if s.conversion or s.translation or ops[n] in parts}
    refused = {name for name in ops if support[name].refusal}
    computed = {name for name in ops if is_computed(ops[name])}
    assert {*ops} - taken - refused - computed == set()
    known = {name for name in REFUSED if not overloads(name)}
    assert known == set(), "refusals of what is no op"


def test_every_conversion_of_ours_has_a_case() -> None:
    names = [f"aten.{case.function.__name__}" for cases in FAMILIES.values() for case in cases]
    tried = {*names, *(name.rpartition(".")[0] for name in names)}
    rows = {row.op for row in others.ATEN}
    assert rows - tried == {"aten.adaptive_avg_pool3d"}, "as its kin"


def test_the_cases_name_their_overloads() -> None:
    assert Case("add.Tensor", ()).function is torch.ops.aten.add.Tensor
    assert Case("abs", ()).function is torch.ops.aten.abs.default
