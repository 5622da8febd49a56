// Element types: how each is stored, and read and written as a real number.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

// Numbers as the session's program writes them.
enum class DType : uint32_t {
    UNKNOWN, QUInt8, QUInt16, QInt8, QInt16, QInt32, Int32, UInt8, UInt16, UInt32, Int8, Int16,
    Float32, Float16, Int64, Bool8, None, Multi = None
};

struct Float16 {
    _Float16 value;
    Float16() = default;
    constexpr Float16(float number) : value(static_cast<_Float16>(number)) {}
    constexpr operator float() const { return static_cast<float>(value); }
    uint16_t raw() const { uint16_t bits; std::memcpy(&bits, &value, 2); return bits; }
    static Float16 from_raw(uint16_t bits) { Float16 f; std::memcpy(&f.value, &bits, 2); return f; }
    Float16 &operator+=(float other) { return *this = Float16(float(*this) + other); }
    Float16 &operator-=(float other) { return *this = Float16(float(*this) - other); }
    Float16 &operator*=(float other) { return *this = Float16(float(*this) * other); }
    Float16 &operator/=(float other) { return *this = Float16(float(*this) / other); }
};
using float16 = Float16;
#define __fp16 _Float16
inline uint16_t fp16_to_bits(const Float16 &number) { return number.raw(); }
inline uint16_t fp16_to_bits(const Float16 *number) { return number->raw(); }
inline float bits_to_fp16(uint16_t bits) { return Float16::from_raw(bits); }

using NN_UINT8_T = uint8_t;
using NN_INT8_T = int8_t;
using NN_UINT16_T = uint16_t;
using NN_INT16_T = int16_t;
using NN_UINT32_T = uint32_t;
using NN_INT32_T = int32_t;
using NN_INT64_T = int64_t;

// Rounds half to even, and saturates.
template <typename T> inline T saturate_round(float number) {
    if (std::isnan(number)) return 0;
    const double rounded = std::nearbyint(static_cast<double>(number));
    const double low = static_cast<double>(std::numeric_limits<T>::min());
    const double high = static_cast<double>(std::numeric_limits<T>::max());
    return static_cast<T>(rounded < low ? low : rounded > high ? high : rounded);
}
template <typename T, typename F> inline T saturate_cast(F number) {
    const F low = static_cast<F>(std::numeric_limits<T>::min());
    const F high = static_cast<F>(std::numeric_limits<T>::max());
    return static_cast<T>(number < low ? low : number > high ? high : number);
}

namespace htp {
// How a tensor's stored values mean numbers: real = (stored - zero) * scale.
struct Encoding {
    float scale = 1.0f, scale_recip = 1.0f;
    int32_t zero = 0;
};

// A row for each element type: its name in Tdefs, storage, DType, and whether it is quantised.
#define HTP_ELEMENT_TYPES(X)                  \
    X(QuantUint8, uint8_t, QUInt8, true)      \
    X(QuantInt8, int8_t, QInt8, true)         \
    X(QuantUint16, uint16_t, QUInt16, true)   \
    X(QuantInt16, int16_t, QInt16, true)      \
    X(QuantInt32, int32_t, QInt32, true)      \
    X(Int32, int32_t, Int32, false)           \
    X(Int64, int64_t, Int64, false)           \
    X(Int8, int8_t, Int8, false)              \
    X(Int16, int16_t, Int16, false)           \
    X(Uint8, uint8_t, UInt8, false)           \
    X(Uint16, uint16_t, UInt16, false)        \
    X(Uint32, uint32_t, UInt32, false)        \
    X(Bool8, uint8_t, Bool8, false)           \
    X(PlainFloat, float, Float32, false)      \
    X(PlainFloat16, Float16, Float16, false)

template <typename S, bool quantized> float read(const void *at, const Encoding &code) {
    S stored;
    std::memcpy(&stored, at, sizeof stored);
    if constexpr (quantized)
        return (static_cast<float>(stored) - static_cast<float>(code.zero)) * code.scale;
    else
        return static_cast<float>(stored);
}
template <typename S, bool quantized> void write(void *at, const Encoding &code, float number) {
    S stored;
    if constexpr (quantized)
        stored = saturate_round<S>(number / code.scale + static_cast<float>(code.zero));
    else if constexpr (std::is_integral_v<S>)
        stored = saturate_round<S>(number);
    else
        stored = static_cast<S>(number);
    std::memcpy(at, &stored, sizeof stored);
}
using Read = float (*)(const void *, const Encoding &);
using Write = void (*)(void *, const Encoding &, float);
struct Element {
    size_t size = 1;
    Read read = nullptr;
    Write write = nullptr;
};
inline Element element_of(DType dtype) {
    switch (dtype) {
#define X(NAME, STORAGE, DTYPE, QUANTIZED) \
    case DType::DTYPE: return {sizeof(STORAGE), read<STORAGE, QUANTIZED>, write<STORAGE, QUANTIZED>};
        HTP_ELEMENT_TYPES(X)
#undef X
    default: return {};
    }
}
}  // namespace htp

namespace Tdefs {
#define X(NAME, STORAGE, DTYPE, QUANTIZED)                   \
    struct NAME {                                            \
        using element_type = STORAGE;                        \
        static constexpr DType dtype = DType::DTYPE;         \
        static constexpr bool quantized = QUANTIZED;         \
        static constexpr const char *name = #NAME "Tensor";  \
    };
HTP_ELEMENT_TYPES(X)
#undef X
}  // namespace Tdefs
