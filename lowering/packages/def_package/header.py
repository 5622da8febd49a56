"""A header of our own in which the macros of op packages are declarations that do nothing.

With it a C++ compiler checks the written text: brackets, names and operand counts.
"""

from collections.abc import Iterator

from ....dialects.value import HTP_DTYPES
from ....runtime.kernel.kernel import Cost, Flag
from ...rules import PRIORITIES
from ..cpp.calls import BOILERPLATE
from .language import CLAUSES, NAMED_FORMS, RULE_CONSTANTS, RULE_FUNCTIONS
from .package import DECLARED_CLASSES

_STRINGIZED = ("EXTERNAL_CONSTRAINT", "EXTERNAL_REPLACE", "SHAPEFN_APPLY", "LAYOUT_CHUNKSIZE")
_CPP_WORDS = ("int", "float", "size_t", "true", "false")

_OPS = """\
enum class GraphStatus { Success, ErrorFatal };
class Graph;
class Tensor {
  public:
    size_t dim(size_t) const;
};
class Op {
  public:
    Tensor *get_output(size_t) const;
    const Tensor *get_input(size_t) const;
};
namespace hnnx {
struct OpIoPtrs {
    Graph &graph() const;
};
struct OpHookBase {
    virtual GraphStatus pre_allocate(OpIoPtrs const &, Op &) const = 0;
};
GraphStatus change_output_tensor_shape(Op &, size_t, Graph &, size_t, const size_t *);
}  // namespace hnnx
using hnnx::OpIoPtrs;
class op_slice_spec;
"""

_QNN = """\
enum Qnn_DataType_t {
    QNN_DATATYPE_BOOL_8,
    QNN_DATATYPE_FLOAT_32,
    QNN_DATATYPE_INT_32,
    QNN_DATATYPE_INT_64,
    QNN_DATATYPE_UINT_32,
    QNN_DATATYPE_STRING
};
enum Qnn_ParamType_t { QNN_PARAMTYPE_SCALAR, QNN_PARAMTYPE_TENSOR };
enum Qnn_TensorVersion_t { QNN_TENSOR_VERSION_1, QNN_TENSOR_VERSION_2 };

struct Qnn_Scalar_t {
    Qnn_DataType_t dataType;
    union {
        float floatValue;
        double doubleValue;
        uint8_t bool8Value;
        int32_t int32Value;
        uint32_t uint32Value;
        int64_t int64Value;
        const char *stringValue;
    };
};
struct Qnn_ClientBuffer_t {
    void *data;
    uint32_t dataSize;
};
struct Qnn_TensorV1_t {
    Qnn_DataType_t dataType;
    uint32_t rank;
    uint32_t *dimensions;
    Qnn_ClientBuffer_t clientBuf;
};
struct Qnn_Tensor_t {
    Qnn_TensorVersion_t version;
    Qnn_TensorV1_t v1;
};
struct Qnn_Param_t {
    Qnn_ParamType_t paramType;
    const char *name;
    union {
        Qnn_Scalar_t scalarParam;
        Qnn_Tensor_t tensorParam;
    };
};
"""

_VALUES = """\
namespace htp_rule {
struct Value {
    template <typename T> constexpr Value(const T &) {}
    constexpr Value() {}
};
struct Declared {
    template <typename... Args> constexpr Declared(const Args &...) {}
};
template <typename... Args> constexpr Value htp_called(const char *, const Args &...) { return {}; }
template <typename Function> constexpr bool htp_used(Function *) { return true; }
"""

_MACROS = """\
#define HTP_JOINED(A, B) A##B
#define HTP_NAMED(A, B) HTP_JOINED(A, B)
#define HTP_DECLARED(...) \\
    namespace htp_rule { \\
    static const Declared HTP_NAMED(declared_, __COUNTER__){__VA_ARGS__}; \\
    }
#define HTP_KERNEL(F, OP, COST) \\
    static const auto HTP_NAMED(kernel_, __COUNTER__) = F; \\
    static const char HTP_NAMED(kernel_name_, __COUNTER__)[] = OP;

#define FROM_DEFAULT_PACKAGE(NAME) "q::" NAME
#define DEF_PACKAGE_OPTIMIZATION(PRIORITY, MATCH, CONSTRAINT, REPLACE) \\
    HTP_DECLARED(PRIORITY, MATCH, CONSTRAINT, REPLACE)
#define DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(PRIORITY, FLAGS, MATCH, CONSTRAINT, REPLACE) \\
    HTP_DECLARED(PRIORITY, #FLAGS, MATCH, CONSTRAINT, REPLACE)
#define DEF_OPT(PRIORITY, MATCH, CONSTRAINT, REPLACE) \\
    HTP_DECLARED(PRIORITY, MATCH, CONSTRAINT, REPLACE)
#define DEF_OPTIM(PRIORITY, FLAGS, MATCH, CONSTRAINT, REPLACE) \\
    HTP_DECLARED(PRIORITY, #FLAGS, MATCH, CONSTRAINT, REPLACE)
#define DEF_TENSOR_PROPERTIES(...) HTP_DECLARED(__VA_ARGS__)
#define DEF_PACKAGE_PARAM_ORDER(...) HTP_DECLARED(__VA_ARGS__)
#define LIST_PACKAGE_AXIS_PARAMS(...) HTP_DECLARED(__VA_ARGS__)
#define DEF_PACKAGE_OP(F, OP) HTP_KERNEL(F, OP, GLACIAL)
#define DEF_PACKAGE_OP_AND_COST_AND_FLAGS(F, OP, COST, ...) \\
    HTP_KERNEL(F, OP, COST) \\
    HTP_DECLARED(OP, HtpCost::COST, ##__VA_ARGS__)
#define DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(F, OP, COST_F, ...) \\
    HTP_KERNEL(F, OP, COST_F) \\
    static float (*const HTP_NAMED(cost_, __COUNTER__))(const class Op *) = COST_F; \\
    HTP_DECLARED(OP, ##__VA_ARGS__)
#define CTOR_OPHOOK(F, HOOK) \\
    static const auto HTP_NAMED(hooked_, __COUNTER__) = F; \\
    static HOOK *HTP_NAMED(hook_, __COUNTER__) = nullptr;
"""


def header() -> str:
    """Return the header as text; it needs no other file but the compiler's own."""
    return "\n".join(
        (
            "// Stand-ins for the macros of HTP op packages: syntax can be checked, nothing runs.",
            "#pragma once",
            "#include <cstddef>",
            "#include <cstdint>",
            "",
            *(f"class {name};" for name in DECLARED_CLASSES),
            "template <unsigned> class TensorShape;",
            _OPS,
            _QNN,
            f"enum class HtpCost {{ {', '.join(Cost.__members__)} }};",
            f"enum class Flags {{ {', '.join(flag.name for flag in Flag if flag.name)} }};",
            "",
            _VALUES,
            *_functions(),
            "}  // namespace htp_rule",
            "",
            _MACROS,
            *(f"#define {name}(...)" for name in BOILERPLATE),
            "",
        )
    )


def _functions() -> Iterator[str]:
    yield f"enum class DType {{ {', '.join(dtype.name for dtype in HTP_DTYPES)} }};"
    yield f"enum Priority {{ {', '.join(f'{n} = {v}' for n, v in PRIORITIES.items())} }};"
    for name in RULE_CONSTANTS:
        if name not in _CPP_WORDS:
            yield f"constexpr Value {name}{{}};"
    for name in sorted({*RULE_FUNCTIONS, *NAMED_FORMS} - {*_CPP_WORDS, "FROM_DEFAULT_PACKAGE"}):
        yield from _function(name)
    for name in CLAUSES:
        yield f"template <typename... T> constexpr Value {name}(const T &...) {{ return {{}}; }}"


def _function(name: str) -> Iterator[str]:
    if any(name.endswith(word) for word in _STRINGIZED):
        yield f"#define {name}(F, ...) htp_called(#F, ##__VA_ARGS__)"
        return
    first = "const char *, " if name in NAMED_FORMS and name != "OpMultiOut" else ""
    yield (
        f"template <typename... Args> constexpr Value {name}({first}const Args &...) "
        "{ return {}; }"
    )
