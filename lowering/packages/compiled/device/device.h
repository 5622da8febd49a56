// All that a source of an op package sees of the device. It is included before the source itself,
// so that the headers a source names may be empty.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "functions.h"
#include "hvx.h"
#include "qnn.h"
#include "register.h"

// What the build puts in the place of an intrinsic that the table does not have, or of a function
// that nothing declares.
namespace htp {
struct Absent {
    template <typename T> operator T() const { return T{}; }
};
inline Absent absent(const char *name)
{
    const bool is_intrinsic = strncmp(name, "Q6_", 3) == 0;
    throw End{HTP_LACKS, (is_intrinsic ? std::string("the intrinsic ") : std::string()) + name + (is_intrinsic ? " is not in the table" : " is declared nowhere")};
}
}  // namespace htp

#ifndef __hexagon__
#include <csignal>  // The one header of the system with assembly that a source may name.

// Inline assembly: prefetches and barriers of the compiler change no number and are left out, other
// code ends the kernel. The name is a macro before its operands, and a function before `volatile`.
inline void htp_assembly(const char *text)
{
    const char first = text[strspn(text, "\"\\ ")];
    if (first && first != ':' && !strstr(text, "l2fetch") && !strstr(text, "dcfetch")) throw htp::End{HTP_LACKS, "it has inline assembly"};
}
#define htp_assembly(...) htp_assembly(#__VA_ARGS__)
#define asm htp_assembly
#define __asm__ htp_assembly
#define __asm htp_assembly
#define volatile(...) (#__VA_ARGS__)
#define __volatile__(...) (#__VA_ARGS__)

#define __hexagon__ 1
#define __HVX__ 1
#define __HVX_LENGTH__ 128
#define __HVX_ARCH__ 68
#define __HEXAGON_ARCH__ 68

#define HEXAGON_V64_CREATE_H(H3, H2, H1, H0)                                                   \
    (static_cast<int64_t>(uint64_t(uint16_t(H3)) << 48 | uint64_t(uint16_t(H2)) << 32 |         \
                          uint64_t(uint16_t(H1)) << 16 | uint16_t(H0)))
#define HEXAGON_V64_CREATE_W(W1, W0) (static_cast<int64_t>(uint64_t(uint32_t(W1)) << 32 | uint32_t(W0)))
#define HEXAGON_V32_CREATE_H(H1, H0) (static_cast<int32_t>(uint32_t(uint16_t(H1)) << 16 | uint16_t(H0)))
#define Q6V64_CREATE_H HEXAGON_V64_CREATE_H
#endif

#define AEE_SUCCESS 0
#define AEE_EFAILED 1
#define AEE_EBADPARM 14
#define AEE_EUNSUPPORTED 20
#define VLEN 128
#ifndef LOG2VLEN
#define LOG2VLEN 7
#endif
#ifndef restrict
#define restrict __restrict__
#endif
#define HVX_INLINE_ALWAYS inline __attribute__((always_inline))

// Templates, so that a function of the source that has the same name comes first.
template <int = 0> inline unsigned long long HAP_perf_get_pcycles() { return 0; }
template <int = 0> inline unsigned long long HAP_perf_get_time_us() { return 0; }
template <int = 0> inline unsigned long long HAP_perf_get_qtimer_count() { return 0; }
template <typename... A> inline void l2fetch(A...) {}
template <typename... A> inline void L2fetch(A...) {}
template <typename... A> inline void hvx_prefetch(A...) {}
template <int = 0> inline float flt_from_bits(int32_t bits) { float number; memcpy(&number, &bits, 4); return number; }
template <int = 0> inline int32_t flt_to_bits(float number) { int32_t bits; memcpy(&bits, &number, 4); return bits; }
template <int = 0> inline float flt_power2(int power) { return std::ldexp(1.0f, power); }
// The exponent and the 24 bits of the fraction; the sign is dropped.
template <int = 0> inline int flt_getexp(float number) { int power; std::frexp(number, &power); return power; }
template <int = 0> inline int32_t flt_getfrac(float number)
{
    int power;
    return static_cast<int32_t>(std::frexp(std::fabs(number), &power) * 16777216.0f);
}
