"""The pass that makes tensors from main memory again where they would leave TCM and come back."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ...levels import bodies, note_graph
from ...packages.loading import packages_of
from ...planner.allocation.residency import returning
from ...rules.graph.graph import OpTables
from ...soc import MIB, check_tcm_options
from .scratch import ScratchOf, no_scratch, scratch_by
from .tcm import NO_TABLES, TCM_ALIGNMENT, bytes_from_ddr, ddr_source, from_ddr
from .tcm_program import tcm_program
from .tcm_views import stated


@dataclass(frozen=True)
class Refetch(ModulePass):
    """Copy from main memory again what was sliced, padded or converted from there.

    Several ops read such a tensor. Where it does not stay in TCM between two of them, saving it
    would move it twice, with its padding; so what makes it is written once more in front of the
    later one. `tcm-bytes` is the size of the TCM.
    """

    name = "htp-refetch"

    tcm_bytes: int = 8 * MIB
    alignment: int = TCM_ALIGNMENT

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_tcm_options(self.name, self.tcm_bytes, self.alignment)
        note_graph(op, self.name, placed=True)
        packages = packages_of(ctx)
        scratch = scratch_by(packages.kernels)
        for block in bodies(op):
            refetch_block(block, self.tcm_bytes, self.alignment, scratch, packages.tables)


def refetch_block(
    block: Block,
    tcm_bytes: int,
    alignment: int,
    scratch: ScratchOf = no_scratch,
    tables: OpTables = NO_TABLES,
) -> None:
    """Have the tensors of one block made again."""
    needs = {op: need for op in block.ops if (need := scratch(op))}
    views = stated(block)
    viewed = {views.root(value)[0] for value in views.inside}

    def fetched(value: SSAValue) -> int | None:
        return None if value in viewed else bytes_from_ddr(value)

    program = tcm_program(block, needs, views, tables, fetched)
    position = {op: at for at, op in enumerate(program.ops)}
    for name, at in returning(program.pinned(), tcm_bytes, alignment):
        value = program.values[name]
        if value not in viewed and ddr_source(value) is None and (chain := (*from_ddr(value),)):
            again = _cloned(chain, program.ops[at])
            program.values[name] = again
            for use in [*value.uses]:
                if position.get(use.operation, -1) >= at:
                    use.operation.operands[use.index] = again


def _cloned(chain: tuple[Operation, ...], reader: Operation) -> SSAValue:
    """Write ops once more in front of a reader; return what the last one makes."""
    block, now = reader.parent, dict[SSAValue, SSAValue]()
    for op in chain:
        copy = op.clone(now)
        now[op.results[0]] = copy.results[0]
        if block is not None:
            block.insert_op_before(copy, reader)
    return now[chain[-1].results[0]]
