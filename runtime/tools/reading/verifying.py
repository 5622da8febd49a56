"""The verifiers of a module that was read, whose ops may lack what others ask them for."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp


def verify_outside_in(module: ModuleOp) -> None:
    """Verify all of a module, ops with regions first; VerifyException for the first bad op.

    xDSL begins inside, where the verifiers of `func.return` and `func.call` read the types of
    functions, which those that nobody has verified may not have.
    """
    for op in module.walk():
        if op.regions:
            op.verify(verify_nested_ops=False)
    module.verify()
