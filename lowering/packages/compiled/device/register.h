// Registration: macros that enter functions into the library's table, and the call of a row.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "tensor.h"

class Graph {};

namespace htp {
void log(const char *level, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct Arguments;
void leave_dims();  // As the kernel that runs has set them.
}  // namespace htp

// An op as cost functions and constructor hooks see it.
class Op {
  public:
    std::vector<Tensor *> outputs, inputs;
    Tensor *get_output(size_t index) const { return index < outputs.size() ? outputs[index] : nullptr; }
    const Tensor *get_input(size_t index) const { return index < inputs.size() ? inputs[index] : nullptr; }
    size_t num_outputs() const { return outputs.size(); }
    size_t num_inputs() const { return inputs.size(); }
    size_t n_outputs() const { return outputs.size(); }
    size_t n_inputs() const { return inputs.size(); }
};
class op_slice_spec {};

namespace hnnx {
using ::Graph;
class OpIoPtrs {
    Graph &of;

  public:
    explicit OpIoPtrs(Graph &graph) : of(graph) {}
    Graph &graph() const { return of; }
};
struct OpHookBase {
    virtual ~OpHookBase() = default;
    virtual GraphStatus pre_allocate(OpIoPtrs const &, Op &) const { return GraphStatus::Success; }
};
// Ones are added on the left where fewer than four dims are given.
inline GraphStatus change_output_tensor_shape(Op &op, size_t index, Graph &, size_t rank, const size_t *dims)
{
    Tensor *const output = op.get_output(index);
    if (output == nullptr || rank > 4) return GraphStatus::ErrorFatal;
    size_t four[4] = {1, 1, 1, 1};
    for (size_t i = 0; i < rank; i++) four[4 - rank + i] = dims[i];
    output->set_dims(four);
    return GraphStatus::Success;
}
}  // namespace hnnx
using hnnx::OpIoPtrs;

constexpr float GLACIAL = 1e12f, SNAIL = 1e6f, FAST = 1.0f, FREE = 0.0f;
enum class Flags : uint32_t { IS_CONST = 1, INHIBIT_CONST_PROP = 2, RESOURCE_HVX = 4, RESOURCE_HMX = 8 };
constexpr Flags IS_CONST = Flags::IS_CONST, INHIBIT_CONST_PROP = Flags::INHIBIT_CONST_PROP;
constexpr Flags RESOURCE_HVX = Flags::RESOURCE_HVX, RESOURCE_HMX = Flags::RESOURCE_HMX;

namespace htp {
// A parameter: its class, and its role by constness, as outputs come first and scratch last.
struct Parameter {
    const char *class_name;
    bool is_const, is_special;
};
struct Arguments {
    std::vector<std::unique_ptr<Tensor>> tensors;
    htp_tensor *from;
    size_t count, next = 0;
    Graph graph;
    Op op;
    op_slice_spec slice;
    OpIoPtrs io{graph};
};

template <typename T> constexpr bool is_tensor = std::is_base_of_v<Tensor, std::remove_const_t<std::remove_reference_t<T>>>;

template <typename A> struct Argument {
    using Bare = std::remove_const_t<std::remove_pointer_t<std::remove_reference_t<A>>>;
    static constexpr bool is_const = std::is_const_v<std::remove_reference_t<A>>;
    static Parameter row()
    {
        if constexpr (is_tensor<A>)
            return {Bare::class_name, is_const, false};
        else
            return {"", is_const, true};
    }
    static decltype(auto) take(Arguments &given)
    {
        if constexpr (is_tensor<A>) {
            if (given.next >= given.count) throw std::out_of_range("the kernel takes more tensors than the op has");
            given.tensors.push_back(std::make_unique<Bare>(given.from[given.next++]));
            return static_cast<Bare &>(*given.tensors.back());
        } else if constexpr (std::is_same_v<Bare, Graph>)
            return (given.graph);
        else if constexpr (std::is_same_v<Bare, Op>)
            return (given.op);
        else if constexpr (std::is_same_v<Bare, OpIoPtrs>)
            return (given.io);
        else
            return (given.slice);
    }
};

using Run = GraphStatus (*)(void *function, Arguments &);
using Cost = float (*)(const Op *);
using Apply = double (*)(void *function, htp_tensor *tensors, uint32_t count);
using Hook = GraphStatus (*)(OpIoPtrs const &, Op &);

// A call that QEMU's plugin sees: it counts what runs between begin and end.
enum Mark { BEGIN = 5000, END };
#ifdef __hexagon__
void mark(Mark of);
#else
inline void mark(Mark) {}
#endif

template <typename R, typename... A, size_t... I>
GraphStatus spread(R (*function)(A...), Arguments &given, std::index_sequence<I...>)
{
    std::tuple<decltype(Argument<A>::take(given))...> taken{Argument<A>::take(given)...};
    GraphStatus status = GraphStatus::Success;
    mark(BEGIN);
    if constexpr (std::is_void_v<R>)
        function(std::get<I>(taken)...);
    else
        status = static_cast<GraphStatus>(function(std::get<I>(taken)...));
    mark(END);
    return status;
}
template <typename R, typename... A> GraphStatus run(void *function, Arguments &given)
{
    return spread(reinterpret_cast<R (*)(A...)>(function), given, std::index_sequence_for<A...>{});
}

struct Row {
    const char *op, *function, *file;
    int line;
    void *address;
    Run run;
    std::vector<Parameter> parameters;
    double cost;
    Cost cost_function;
    // Of a function that rules call, which is for no op.
    Apply apply = nullptr;
};
void add(Row row);
void add_hook(void *function, Hook hook);

// What the build puts in the place of a kernel or a cost function that nothing declares.
struct Undeclared {};
template <typename...> Undeclared undeclared() { return {}; }
template <auto First, auto... Rest> Undeclared undeclared() { return {}; }
using None = Undeclared (*)();

struct Registered {
    // What it would register has a part that nothing declares.
    Registered(None, const char *, const char *, const char *, int, double, Cost = nullptr) {}
    Registered(None, const char *, const char *, const char *, int, double, None) {}
    template <typename F> Registered(F, const char *, const char *, const char *, int, double, None) {}
    template <typename R, typename... A>
    Registered(R (*function)(A...), const char *op, const char *name, const char *file, int line, double cost, Cost by = nullptr)
    {
        add({op, name, file, line, reinterpret_cast<void *>(function), run<R, A...>, {Argument<A>::row()...}, cost, by});
    }
};
template <typename H> GraphStatus hooked(OpIoPtrs const &io, Op &op)
{
    const H hook;
    return static_cast<const hnnx::OpHookBase &>(hook).pre_allocate(io, op);
}
struct Hooked {
    Hooked(None, Hook) {}
    template <typename R, typename... A> Hooked(R (*function)(A...), Hook hook)
    {
        add_hook(reinterpret_cast<void *>(function), hook);
    }
};
}  // namespace htp

#define HTP_JOINED(A, B) A##B
#define HTP_NAMED(A, B) HTP_JOINED(A, B)
#define HTP_TEXT_(...) #__VA_ARGS__
#define HTP_TEXT(...) HTP_TEXT_(__VA_ARGS__)
#define DEF_PACKAGE_OP(F, OP) \
    static const ::htp::Registered HTP_NAMED(htp_row_, __COUNTER__)(F, OP, HTP_TEXT(F), __FILE__, __LINE__, GLACIAL);
#define DEF_PACKAGE_OP_AND_COST_AND_FLAGS(F, OP, COST, ...) \
    static const ::htp::Registered HTP_NAMED(htp_row_, __COUNTER__)(F, OP, HTP_TEXT(F), __FILE__, __LINE__, COST);
#define DEF_PACKAGE_OP_AND_COST_F_AND_FLAGS(F, OP, COST_F, ...) \
    static const ::htp::Registered HTP_NAMED(htp_row_, __COUNTER__)(F, OP, HTP_TEXT(F), __FILE__, __LINE__, SNAIL, COST_F);
#define CTOR_OPHOOK(F, ...) \
    static const ::htp::Hooked HTP_NAMED(htp_hook_, __COUNTER__)(F, ::htp::hooked<__VA_ARGS__>);

// Rules, properties and param orders are read from the text, and are nothing to the compiler.
#define DEF_PACKAGE_OPTIMIZATION(...)
#define DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS(...)
#define DEF_OPT(...)
#define DEF_OPTIM(...)
#define DEF_TENSOR_PROPERTIES(...)
#define DEF_PACKAGE_PARAM_ORDER(...)
#define LIST_PACKAGE_AXIS_PARAMS(...)
#define LIST_PACKAGE_PER_CHANNEL_QUANTIZED_OPS(...)
#define BEGIN_PKG_OP_DEFINITION(...)
#define END_PKG_OP_DEFINITION(...)
#define BEGIN_PKG_OPS_OPTS_LIST(...)
#define END_PKG_OPS_OPTS_LIST(...)
#define DECLARE_PKG_OPS_OPTS_LIST(...)
#define DECLARE_OPS_OPTS_LIST(...)
#define DEFINE_UNIQ_TY(...)
#define INIT_PACKAGE_OP_DEF(...)
#define INIT_PACKAGE_OPTIMIZATION_DEF(...)
#define INIT_PACKAGE_PARAM_ORDER_DEF(...)
#define INIT_PKG_CORE_INIT_FUNC(...)
#define REGISTER_PACKAGE_OPS(...)
#define REGISTER_PACKAGE_OPTIMIZATIONS(...)
#define REGISTER_PACKAGE_PARAM_ORDERS(...)
#define REGISTER_PACKAGE_AXIS_PARAMS(...)
#define REGISTER_PACKAGE_PER_CHANNEL_QUANTIZED_OPS(...)

#define errlog(...) ::htp::log("error", __VA_ARGS__)
#define warnlog(...) ::htp::log("warning", __VA_ARGS__)
#define infolog(...) ::htp::log("info", __VA_ARGS__)
#define debuglog(...) ::htp::log("debug", __VA_ARGS__)
#define verboselog(...) ::htp::log("verbose", __VA_ARGS__)
#define logmsgraw(...) ::htp::log("info", __VA_ARGS__)
#define FARF(LEVEL, ...) ::htp::log(#LEVEL, __VA_ARGS__)
