"""Op packages as C++ source text: read, and written back."""

from .header import header
from .loading import load_cpp
from .package import CppPackage, KernelParameter, KernelSignature, Role, Summary
from .writer import INCLUDES, spelled_out, write_cpp

__all__ = [
    "INCLUDES",
    "CppPackage",
    "KernelParameter",
    "KernelSignature",
    "Role",
    "Summary",
    "header",
    "load_cpp",
    "spelled_out",
    "write_cpp",
]
