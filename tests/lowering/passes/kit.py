"""A small machine for the tests of these passes: demands and kernels of a few ops, and runs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from htp_mlir.dialects.htp import NATIVE_OPS
from htp_mlir.dialects.htp.base import native
from htp_mlir.dialects.htp.ops.const import const
from htp_mlir.dialects.htp.ops.movement import ReshapeOp
from htp_mlir.dialects.spec_of import spec_of, type_of
from htp_mlir.dialects.value.dtypes import DType
from htp_mlir.dialects.value.spec import LayoutKind, Memory, TensorSpec
from htp_mlir.lowering.levels import Level, bodies, mnemonic
from htp_mlir.lowering.packages import Packages
from htp_mlir.lowering.passes.allocation.allocate import allocate_block
from htp_mlir.lowering.passes.allocation.schedule import schedule_block
from htp_mlir.lowering.passes.allocation.select_kernels import select_kernels
from htp_mlir.lowering.passes.allocation.tcm import TCM_ALIGNMENT
from htp_mlir.lowering.passes.checks.check_level import check_dominance, check_level
from htp_mlir.lowering.passes.placement.assign_places import (
    assign_places,
    check_properties,
    realise_places,
)
from htp_mlir.lowering.passes.placement.placement import OpConstraints, Placer
from htp_mlir.lowering.passes.placement.properties import placer as real_placer
from htp_mlir.lowering.planner.placement.places import DEFAULT, PlacementConstraint, TcmBudget
from htp_mlir.runtime.functions.support.arrays import Array
from htp_mlir.runtime.kernel.declare import KernelSet
from htp_mlir.runtime.kernel.kernel import Cost
from htp_mlir.runtime.kernel.library import KernelRegistry, Library
from htp_mlir.runtime.kernels import standard_library
from htp_mlir.runtime.session.session import Session
from htp_mlir.runtime.tensors.tensor_classes import (
    FloatCroutonTensor,
    FloatCroutonTensor_TCM,
    PlainFloatTensor,
    PlainFloatTensor_TCM,
)
from htp_mlir.runtime.tensors.tensors import Tensor
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

KERNELS = KernelSet()
kernel = KERNELS.kernel

A = TypeVar("A", PlainFloatTensor, PlainFloatTensor_TCM, FloatCroutonTensor, FloatCroutonTensor_TCM)


@kernel("Relu", cost=Cost.SNAIL)
def relu(out: A, in_: A) -> None:
    np.maximum(in_.array, 0, out=out.array)


@kernel("Neg", cost=Cost.SNAIL)
def neg(out: A, in_: A) -> None:
    np.negative(in_.array, out=out.array)


@kernel("Add", cost=Cost.SNAIL)
def add(out: A, a: A, b: A) -> None:
    np.add(a.array, b.array, out=out.array)


@kernel("Abs")
def abs_anywhere(out: Tensor, in_: Tensor) -> None:
    """The one kernel here that runs from main memory only."""
    out.store(np.abs(in_.load()))


def move(out: Tensor, in_: Tensor) -> None:
    out.pack_from(in_.stored())


@kernel("flat_to_vtcm", name="copy")
def flat_in(out: PlainFloatTensor_TCM, in_: PlainFloatTensor) -> None:
    move(out, in_)


@kernel("flat_from_vtcm", name="copy")
def flat_out(out: PlainFloatTensor, in_: PlainFloatTensor_TCM) -> None:
    move(out, in_)


@kernel("crouton_to_vtcm", name="copy")
def crouton_in(out: FloatCroutonTensor_TCM, in_: FloatCroutonTensor) -> None:
    move(out, in_)


@kernel("crouton_from_vtcm", name="copy")
def crouton_out(out: FloatCroutonTensor, in_: FloatCroutonTensor_TCM) -> None:
    move(out, in_)


@kernel("ForceFormat_Crouton", name="force")
def to_crouton(out: FloatCroutonTensor, in_: PlainFloatTensor) -> None:
    move(out, in_)


@kernel("ForceFormat_Crouton", name="force_inside")
def to_crouton_inside(out: FloatCroutonTensor_TCM, in_: PlainFloatTensor_TCM) -> None:
    move(out, in_)


@kernel("ForceFormat_Flat", name="force_inside")
def to_flat_inside(out: PlainFloatTensor_TCM, in_: FloatCroutonTensor_TCM) -> None:
    move(out, in_)


@kernel("ForceFormat_Flat", name="force")
def to_flat(out: PlainFloatTensor, in_: FloatCroutonTensor) -> None:
    move(out, in_)


@kernel("Spill", name="spill_flat")
def spill_flat(out: PlainFloatTensor, in_: PlainFloatTensor_TCM) -> None:
    move(out, in_)


@kernel("Spill", name="spill_crouton")
def spill_crouton(out: FloatCroutonTensor, in_: FloatCroutonTensor_TCM) -> None:
    move(out, in_)


@kernel("Fill", name="fill_flat")
def fill_flat(out: PlainFloatTensor_TCM, in_: PlainFloatTensor) -> None:
    move(out, in_)


@kernel("Fill", name="fill_crouton")
def fill_crouton(out: FloatCroutonTensor_TCM, in_: FloatCroutonTensor) -> None:
    move(out, in_)


REGISTRY = KernelRegistry([KERNELS])
LIBRARY = Library(REGISTRY, {}, {})

IN_TCM = PlacementConstraint(memory=Memory.TCM)
CROUTON_IN_TCM = PlacementConstraint(LayoutKind.CROUTON, Memory.TCM)
FLAT_IN_TCM = PlacementConstraint(LayoutKind.FLAT, Memory.TCM)

DEMANDS = {
    "Relu": OpConstraints((CROUTON_IN_TCM,), (CROUTON_IN_TCM,)),
    "Neg": OpConstraints((FLAT_IN_TCM,), (FLAT_IN_TCM,)),
    "Add": OpConstraints((IN_TCM, IN_TCM), (IN_TCM,)),
    "Abs": OpConstraints((PlacementConstraint(),), (PlacementConstraint(),)),
}


def demands(op: Operation) -> OpConstraints:
    """Relu works on croutons in TCM, Neg on flat tensors there, Add on either, Abs anywhere."""
    home = OpConstraints((DEFAULT,) * len(op.operands), (DEFAULT,) * len(op.results))
    return DEMANDS.get(mnemonic(op), home)


def placer(largest: int = 1 << 20) -> Placer:
    return Placer(demands, REGISTRY, TcmBudget(largest, 1 << 20))


@dataclass(frozen=True)
class Machine:
    """How ops are placed for a TCM size, and what they run on."""

    placer: Callable[[int], Placer]
    library: Library


HTP_ONLY = Packages()
SMALL = Machine(lambda tcm_bytes: placer(tcm_bytes // 4), LIBRARY)
REAL = Machine(lambda tcm_bytes: real_placer(tcm_bytes, HTP_ONLY), standard_library())


class Model:
    """Builds `@main` at the native level: one input of rank 1, any values as outputs."""

    def __init__(self, *shape: int) -> None:
        self.spec = TensorSpec(shape, DType.Float32)
        self.outside = self.spec.with_shape((self.spec.elements,))
        self.block = Block(arg_types=[type_of(self.outside)])
        self.x = self.op("Reshape", self.block.args[0])

    def op(self, name: str, *operands: SSAValue) -> SSAValue:
        return self.append(native(NATIVE_OPS[name], operands, self.spec))

    def const(self, seed: int) -> SSAValue:
        data = np.random.default_rng(seed).standard_normal(self.spec.shape, np.float32)
        return self.append(const(data, self.spec))

    def append(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def module(self, *outputs: SSAValue) -> ModuleOp:
        """The module that returns these values."""
        returned = [self.append(native(ReshapeOp, [v], self.outside)) for v in outputs]
        self.block.add_op(ReturnOp(*returned))
        types = [value.type for value in returned]
        names = ArrayAttr([_named(f"y{index}") for index in range(len(outputs))])
        main = FuncOp("main", ([self.block.args[0].type], types), Region(self.block))
        main.properties |= {"arg_attrs": ArrayAttr([_named("x")]), "res_attrs": names}
        module = ModuleOp([main])
        module.verify()
        return module


def _named(name: str) -> DictionaryAttr:
    return DictionaryAttr({"htp.name": StringAttr(name)})


def ops_of(module: ModuleOp) -> list[str]:
    """The mnemonics of the ops that run or move, in order."""
    quiet = ("Reshape", "Const", "func.return")
    names = [mnemonic(op) for block in bodies(module) for op in block.ops]
    return [name for name in names if name not in quiet]


def places_of(module: ModuleOp, name: str) -> list[str]:
    """Where the first results of all ops of a mnemonic lie."""
    ops = [op for block in bodies(module) for op in block.ops if mnemonic(op) == name]
    places = [spec_of(op.results[0]).place for op in ops]
    return [f"{p.layout.value} {p.memory.value}" if p else "nowhere" for p in places]


def run(module: ModuleOp, seed: int = 0, library: Library = LIBRARY) -> dict[str, Array]:
    """Run a module on random numbers, with every check."""
    module.verify()
    check_dominance(module)
    session = Session(module, check=True, library=library)
    spec = session.inputs["x"]
    x = np.random.default_rng(seed).standard_normal(spec.shape, np.float32)
    outputs = session.run({"x": x})
    return {name: value for name, value in outputs.items() if value is not None}


def assert_same(before: dict[str, Array], after: dict[str, Array]) -> None:
    """Check that two runs gave the same numbers, bit for bit."""
    assert before.keys() == after.keys()
    for name, value in before.items():
        np.testing.assert_array_equal(after[name], value)


def lowered(module: ModuleOp, tcm_bytes: int, machine: Machine = SMALL) -> ModuleOp:
    """A copy of a module at the native level, taken down to the allocated level."""
    module = module.clone()
    by = machine.placer(tcm_bytes)
    assign_places(module, by)
    realise_places(module, by.budget)
    check_properties(module, by)
    check_level(module, Level.PLACED)
    for block in bodies(module):
        schedule_block(block, tcm_bytes, TCM_ALIGNMENT)
        check_dominance(module)
        allocate_block(block, tcm_bytes, TCM_ALIGNMENT)
    select_kernels(module, machine.library.kernels)
    check_level(module, Level.ALLOCATED)
    return module
