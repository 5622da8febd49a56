"""The target `cpp-package`: an op package in use, as C++ source text.

Beside its ops are the files that the package is built with: the interface file, a Makefile.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from string import Template
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from ...dialects.diagnostics import fail, listed
from .def_package.op_xml import write_definitions
from .def_package.writer import write_cpp
from .loading import packages_of
from .package import OpPackage
from .packages import Packages
from .to_cpp import identifier, to_cpp

_INTERFACE = Template("""\
// The interface of op package $name: its ops, and how they are registered.
#include "HTP/QnnHtpCommon.h"
#include "HTP/core/constraints.h"
#include "HTP/core/op_package_feature_support.h"
#include "HTP/core/op_register_ext.h"
#include "HTP/core/optimize.h"
#include "HTP/core/simple_reg.h"
#include "HTP/core/unique_types.h"
#include "QnnOpPackage.h"
#include "QnnSdkBuildId.h"

BEGIN_PKG_OPS_OPTS_LIST()
DECLARE_PKG_OPS_OPTS_LIST(PKG_$name)
END_PKG_OPS_OPTS_LIST()

INIT_PACKAGE_OP_DEF()
INIT_PACKAGE_OPTIMIZATION_DEF()
INIT_PACKAGE_PARAM_ORDER_DEF()

static const char *sg_opNames[] = {$names};
static Qnn_ApiVersion_t sg_sdkApiVersion = QNN_HTP_API_VERSION_INIT;
static QnnOpPackage_Info_t sg_packageInfo = QNN_OP_PACKAGE_INFO_INIT;
static bool sg_initialized = false;

static Qnn_ErrorHandle_t ${name}Init(QnnOpPackage_GlobalInfrastructure_t infrastructure) {
  (void)infrastructure;
  if (sg_initialized) return QNN_OP_PACKAGE_ERROR_LIBRARY_ALREADY_INITIALIZED;
  REGISTER_PACKAGE_OPS()
  REGISTER_PACKAGE_OPTIMIZATIONS()
  REGISTER_PACKAGE_PARAM_ORDERS()
  REGISTER_PACKAGE_AXIS_PARAMS()
  sg_initialized = true;
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t ${name}GetInfo(const QnnOpPackage_Info_t **info) {
  if (!sg_initialized) return QNN_OP_PACKAGE_ERROR_LIBRARY_NOT_INITIALIZED;
  if (!info) return QNN_OP_PACKAGE_ERROR_INVALID_INFO;
  sg_packageInfo.packageName = "$name";
  sg_packageInfo.operationNames = sg_opNames;
  sg_packageInfo.numOperations = sizeof(sg_opNames) / sizeof(sg_opNames[0]);
  sg_packageInfo.sdkBuildId = QNN_SDK_BUILD_ID;
  sg_packageInfo.sdkApiVersion = &sg_sdkApiVersion;
  *info = &sg_packageInfo;
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t ${name}Validate(Qnn_OpConfig_t config) {
  (void)config;
  return QNN_SUCCESS;
}

static Qnn_ErrorHandle_t ${name}Terminate() {
  sg_initialized = false;
  return QNN_SUCCESS;
}

extern "C" Qnn_ErrorHandle_t ${name}InterfaceProvider(QnnOpPackage_Interface_t *interface) {
  if (!interface) return QNN_OP_PACKAGE_ERROR_INVALID_ARGUMENT;
  interface->interfaceVersion = {1, 4, 0};
  interface->v1_4.init = ${name}Init;
  interface->v1_4.terminate = ${name}Terminate;
  interface->v1_4.getInfo = ${name}GetInfo;
  interface->v1_4.validateOpConfig = ${name}Validate;
  interface->v1_4.createOpImpl = nullptr;
  interface->v1_4.freeOpImpl = nullptr;
  return QNN_SUCCESS;
}
""")
_MAKEFILE = Template("""\
# Builds op package $name: make htp_x86, make htp_v75.
# QNN_SDK_ROOT and HEXAGON_SDK_ROOT are the folders of the two SDKs, src/ops has the kernels.
X86_CXX ?= clang++
HEXAGON_CXX ?= $$(wildcard $$(HEXAGON_SDK_ROOT)/tools/HEXAGON_Tools/*/Tools/bin/hexagon-clang++)
SOURCES := $$(wildcard src/*.cpp) $$(wildcard src/ops/*.cpp)
FLAGS := -std=c++17 -fPIC -shared -DUSE_OS_LINUX -DTHIS_PKG_NAME=$name
FLAGS += -I$$(QNN_SDK_ROOT)/include/QNN -Isrc

htp_x86: build/x86_64-linux-clang/libQnn$name.so
htp_v%: build/hexagon-v%/libQnn$name.so ;

build/x86_64-linux-clang/libQnn$name.so: $$(SOURCES)
	mkdir -p $$(@D)
	$$(X86_CXX) $$(FLAGS) -march=native -D__HVXDBL__ $$^ -o $$@

build/hexagon-v%/libQnn$name.so: $$(SOURCES)
	mkdir -p $$(@D)
	$$(HEXAGON_CXX) $$(FLAGS) -mv$$* -mhvx -mhvx-length=128B -mhmx $$^ -o $$@

clean:
	rm -rf build
.PHONY: htp_x86 clean
.SECONDARY:
""")


def interface_text(package: OpPackage) -> str:
    """Return the interface file of a package, with the list of its ops."""
    names = ", ".join(f'"{op.mnemonic()}"' for op in package.ops)
    return _INTERFACE.substitute(name=identifier(package.name), names=names)


def makefile_text(package: OpPackage) -> str:
    """Return the Makefile of a package, whose sources are in `src` and `src/ops`."""
    return _MAKEFILE.substitute(name=identifier(package.name))


def definitions_text(package: OpPackage) -> str:
    """Return the definitions of a package's ops in XML, as they were read where they were."""
    read = () if package.cpp is None else package.cpp.definitions
    return write_definitions(package.name, package.ops, package.param_orders, read)


PARTS: Mapping[str, Callable[[OpPackage], str]] = {
    "ops": lambda package: write_cpp(to_cpp(package)),
    "interface": interface_text,
    "makefile": makefile_text,
    "xml": definitions_text,
}
"""The writer of each part of a package."""


@dataclass(frozen=True)
class CppPackageTarget(Target):
    """Write the op package `package`; without it, the one that is in use beside `htp`.

    The part `ops` has rules, tensor properties, param orders, axis params and registrations;
    kernels are declared. The parts `interface`, `makefile` and `xml` are the files beside it. The
    module has no say in it.
    """

    name = "cpp-package"

    package: str | None = None
    part: str = "ops"

    def __post_init__(self) -> None:
        if self.part not in PARTS:
            raise fail("cpp-package", f"part '{self.part}' is not known", listed(self.part, PARTS))

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(PARTS[self.part](chosen(packages_of(ctx), self.package)))


def chosen(packages: Packages, name: str | None) -> OpPackage:
    """Return the package of that name, or the only one beside `htp`; else HtpError."""
    by_name = {package.name: package for package in packages}
    own, *others = by_name
    if name is None and len(others) > 1:
        problem = f"{len(others)} packages are in use"
        raise fail("cpp-package", problem, f"name one: cpp-package{{package={others[-1]}}}")
    wanted = name or (others[0] if others else own)
    if wanted not in by_name:
        raise fail(
            "cpp-package", f"no package {wanted} is in use", f"there are {', '.join(by_name)}"
        )
    return by_name[wanted]
