"""Block ops as PyTorch modules, and PyTorch's own modules as graph IR.

The modules have true semantics in eager mode, and one node each when exported: `torch.onnx.export`,
with both of its exporters, and `torch.export` see one op per module.
"""

from importlib.util import find_spec

if find_spec("torch") is None:
    raise ModuleNotFoundError(
        "PyTorch is not installed: pip install 'htp-mlir[torch]'", name="torch"
    )

from ....dialects.qti_aisw.choices import BufferMode as BufferMode
from ....dialects.qti_aisw.choices import Direction as Direction
from ....dialects.qti_aisw.choices import MaskMode as MaskMode
from ...importers.aten.node import AtenNode as AtenNode
from ...importers.aten.node import NodeInfo as NodeInfo
from ...importers.aten.node import Ref as Ref
from ...importers.aten.others import Refusal as Refusal
from ...importers.aten.registry import TorchConversion as TorchConversion
from ...importers.aten.registry import TorchConversions as TorchConversions
from ...importers.graph.value import Value as Value
from .buffer import BLOCKED as BLOCKED
from .buffer import Buffer as Buffer
from .buffer import is_blocked as is_blocked
from .export import export_onnx as export_onnx
from .layers import StatefulLayers as StatefulLayers
from .layers import from_torch as from_torch
from .load import OpSupport as OpSupport
from .load import load_torch as load_torch
from .load import registered as registered
from .load import unconverted as unconverted
from .masked import MaskedSoftmax as MaskedSoftmax
from .masked import masked_softmax as masked_softmax
from .programs.executors import TorchExecutor as TorchExecutor
from .programs.executors import TorchExecutors as TorchExecutors
from .programs.executors import torch_library as torch_library
from .recurrent import StatefulGru as StatefulGru
from .recurrent import StatefulLstm as StatefulLstm
from .replace import use_block_ops as use_block_ops
from .stateful import reset_states as reset_states
