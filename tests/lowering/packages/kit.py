"""What tests of whole packages compare."""

from htp_mlir.lowering.packages import OpPackage
from htp_mlir.lowering.packages.def_package import CppPackage


def declared(package: OpPackage | CppPackage) -> dict[str, object]:
    """What a package says besides its ops and kernels, in Python as in C++ text."""
    return {
        "name": package.name,
        "properties": package.properties,
        "param orders": package.param_orders,
        "axis params": package.axis_params,
        "rules": [str(rule) for rule in package.rules],
    }
