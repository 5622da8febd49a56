// Functions that rules call by name: conditions and shapes. A function takes nodes as tensors (its
// dims, type and encoding, and the elements of a constant), or as dims; numbers; inside a split the
// slice first. It gives a bool, or dims.
#pragma once
#include "register.h"

// The slice that a rule builds: the dim that is cut, where it starts and how long it is.
struct split_context {
    size_t dim, start, size, index;
};
using Split_Context = split_context;
using SplitContext = split_context;
using OpRef = Tensor;
namespace hnnx {
using ::OpRef;
using ::split_context;
}  // namespace hnnx

namespace htp {
template <typename T> struct Dims : std::false_type {};
template <size_t N> struct Dims<std::array<size_t, N>> : std::true_type {};
template <> struct Dims<std::vector<size_t>> : std::true_type {};

template <typename A> struct Operand {
    using Bare = std::remove_const_t<std::remove_reference_t<A>>;
    Bare value;
    explicit Operand(const htp_tensor &from) : value(of(from)) {}
    static Bare of(const htp_tensor &from)
    {
        if constexpr (std::is_floating_point_v<Bare>)
            return static_cast<Bare>(from.scale);
        else if constexpr (std::is_arithmetic_v<Bare> || std::is_enum_v<Bare>)
            return static_cast<Bare>(static_cast<int64_t>(from.offset));
        else if constexpr (std::is_same_v<Bare, split_context>)
            return {from.dims[0], from.dims[1], from.dims[2], from.dims[3]};
        else if constexpr (Dims<Bare>::value) {
            Bare dims{};
            if constexpr (std::is_same_v<Bare, std::vector<size_t>>) dims.resize(4);
            for (size_t i = 0; i < dims.size() && i < 4; i++) dims[i] = from.dims[i];
            return dims;
        } else
            return Bare(from);
    }
};

// Calls the function; dims go into the first record, behind which the operands stand.
template <typename R, typename... A, size_t... I>
double applied(R (*function)(A...), htp_tensor *tensors, uint32_t count, std::index_sequence<I...>)
{
    if (count != sizeof...(A) + 1) throw std::out_of_range("it takes " + std::to_string(sizeof...(A)) + " operands");
    std::tuple<Operand<A>...> operands{Operand<A>(tensors[I + 1])...};
    const auto result = function(std::get<I>(operands).value...);
    if constexpr (std::is_arithmetic_v<R>)
        return static_cast<double>(result);
    else if constexpr (Dims<R>::value) {
        if (result.size() > 4) throw std::out_of_range("it gives more than four dims");
        for (size_t i = 0; i < result.size(); i++) tensors[0].dims[i] = result[i];
        return static_cast<double>(result.size());
    } else {
        for (size_t i = 0; i < 4; i++) tensors[0].dims[i] = result.dim(i);
        return 4;
    }
}
template <typename R, typename... A> double apply(void *function, htp_tensor *tensors, uint32_t count)
{
    return applied(reinterpret_cast<R (*)(A...)>(function), tensors, count, std::index_sequence_for<A...>{});
}

struct RegisteredFunction {
    template <typename R, typename... A> RegisteredFunction(R (*function)(A...), const char *name)
    {
        const char *const kind = std::is_arithmetic_v<R> ? "condition" : "shape";
        add({"", name, kind, 0, reinterpret_cast<void *>(function), nullptr, {}, 0, nullptr, apply<R, A...>});
    }
};
}  // namespace htp
#define HTP_FUNCTION(NAME, ...) \
    static const ::htp::RegisteredFunction HTP_NAMED(htp_function_, __COUNTER__)(__VA_ARGS__, NAME);
