"""Modules for PyTorch are tested where PyTorch is: `pip install 'htp-mlir[torch]'`."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["test_*.py"]
