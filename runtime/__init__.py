"""What the IR means: tensors in simulated memory, kernels, and the session that runs a module."""
