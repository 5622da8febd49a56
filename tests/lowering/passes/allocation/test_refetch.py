"""Tensors that are made again: fewer bytes move, and the numbers stay."""

from __future__ import annotations

import pytest
from htp_mlir.dialects.attributes import DRAINED
from htp_mlir.lowering import lower
from htp_mlir.lowering.levels import bodies, mnemonic
from htp_mlir.lowering.passes.allocation.allocate import Allocate
from htp_mlir.lowering.passes.allocation.refetch import Refetch, refetch_block
from htp_mlir.lowering.passes.allocation.select_kernels import SelectKernels
from htp_mlir.lowering.passes.allocation.tcm import TCM_ALIGNMENT
from htp_mlir.lowering.passes.dominance import check_dominance
from htp_mlir.lowering.passes.traffic import traffic
from htp_mlir.runtime import Session
from xdsl.dialects.builtin import ModuleOp

from tests.support.feeds import assert_same
from tests.support.graph import Graph, Model
