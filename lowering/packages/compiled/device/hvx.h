// HVX: vectors of 128 bytes, and the intrinsics that kernels use, in one table.
//
// A row is HVX(result, name, (parameters), "meaning", body). V is a vector, W a pair (its low half
// first), Q a predicate, R a 32-bit and D a 64-bit register. To add an intrinsic, add its row.
// qf32 and qf16 are kept as the sf and hf of the same value: a result may differ from the device's
// in its last place, and code that takes their bits apart gives other numbers than on the device.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>

#include "dtypes.h"

namespace hvx {
constexpr int BYTES = 128;
}
#ifdef __hexagon__
// Compiled for the device itself, whose compiler has them all.
#include <hexagon_protos.h>
#include <hexagon_types.h>
#include <hvx_hexagon_protos.h>
#else
namespace hvx {
using Words = int32_t __attribute__((vector_size(BYTES), may_alias));

// As on the device a vector in memory is read and written where its address is rounded down to
// 128 bytes; unaligned reads and writes go through HVX_UVector.
inline void *down(const void *at) { return reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(at) & ~uintptr_t(127)); }
struct Unaligned;
struct alignas(BYTES) Vector {
    Words words;
    Vector() = default;
    Vector(Words from) : words(from) {}
    // The first words; the others are 0, as of any vector of the compiler.
    Vector(std::initializer_list<int32_t> from) : words{}
    {
        int at = 0;
        for (int32_t word : from) words[at++] = word;
    }
    Vector(const Vector &from) : words(*static_cast<const Words *>(down(&from))) {}
    Vector &operator=(const Vector &from)
    {
        *static_cast<Words *>(down(this)) = *static_cast<const Words *>(down(&from));
        return *this;
    }
    int32_t operator[](int index) const { return words[index]; }
    template <typename T> T get(int index) const
    {
        T lane;
        std::memcpy(&lane, reinterpret_cast<const char *>(&words) + index * sizeof(T), sizeof(T));
        return lane;
    }
    template <typename T, typename F> void set(int index, F value)
    {
        const T lane = static_cast<T>(value);
        std::memcpy(reinterpret_cast<char *>(&words) + index * sizeof(T), &lane, sizeof(T));
    }
};
struct Unaligned {
    char bytes[BYTES];
    Unaligned() = default;
    Unaligned(const Vector &from) { std::memcpy(bytes, &from.words, BYTES); }
    Unaligned &operator=(const Vector &from) { std::memcpy(bytes, &from.words, BYTES); return *this; }
    operator Vector() const { Vector v; std::memcpy(&v.words, bytes, BYTES); return v; }
};
struct Pair {
    Vector half[2];
};
// A byte of 0 or 255 for each byte of a vector.
struct Predicate {
    Vector mask;
};
}  // namespace hvx
using HVX_Vector = hvx::Vector;
using HVX_UVector = hvx::Unaligned;
using HVX_VectorPair = hvx::Pair;
using HVX_VectorPred = hvx::Predicate;
using HEXAGON_Vect1024 = hvx::Vector;
using HEXAGON_Vect1024_UN = hvx::Unaligned;
using HEXAGON_UVect1024 = hvx::Unaligned;
using HEXAGON_Vect64 = int64_t;
using HEXAGON_Vect32 = int32_t;
using Word32 = int32_t;
using UWord32 = uint32_t;
using Word64 = int64_t;
using UWord64 = uint64_t;

namespace hvx {
using V = Vector;
using W = Pair;
using Q = Predicate;
using R = int32_t;
using D = int64_t;
using b = int8_t;
using ub = uint8_t;
using h = int16_t;
using uh = uint16_t;
using w = int32_t;
using uw = uint32_t;
using hf = Float16;
using sf = float;

// f at each lane of type T; the results have that type, too.
template <typename T, typename F> V each(F f)
{
    V out;
    for (int i = 0; i < BYTES / int(sizeof(T)); i++) out.set<T>(i, f(i));
    return out;
}
template <typename T, typename F> V map(const V &x, F f)
{
    return each<T>([&](int i) { return f(x.get<T>(i)); });
}
template <typename T, typename F> V map(const V &x, const V &y, F f)
{
    return each<T>([&](int i) { return f(x.get<T>(i), y.get<T>(i)); });
}
template <typename T, typename F> Q compare(const V &x, const V &y, F f)
{
    Q out;
    for (int i = 0; i < BYTES; i++)
        out.mask.set<ub>(i, f(x.get<T>(i / sizeof(T)), y.get<T>(i / sizeof(T))) ? 255 : 0);
    return out;
}
template <typename T> T sat(int64_t x)
{
    const int64_t low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    return static_cast<T>(x < low ? low : x > high ? high : x);
}
// The element of type N at place `half` of the wider lane i.
template <typename N> int64_t part(const V &x, int i, int half) { return x.get<N>(2 * i + half); }
// A pair of wide lanes: f(i, 0) of the even narrow ones in the low half, f(i, 1) in the high half.
template <typename T, typename F> W widen(F f)
{
    return {each<T>([&](int i) { return f(i, 0); }), each<T>([&](int i) { return f(i, 1); })};
}
// Narrow lanes: the even ones of f(y, i), the odd ones of f(x, i).
template <typename T, typename F> V narrow(const V &x, const V &y, F f)
{
    return each<T>([&](int i) { return f(i % 2 ? x : y, i / 2); });
}
// Narrow lanes: the first half of f(y, i), the second of f(x, i).
template <typename T, typename F> V pack(const V &x, const V &y, F f)
{
    constexpr int HALF = BYTES / sizeof(T) / 2;
    return each<T>([&](int i) { return f(i < HALF ? y : x, i % HALF); });
}
inline int64_t rounded(int64_t x, int by) { return by ? (x + (int64_t(1) << (by - 1))) >> by : x; }
inline int low_bits(int32_t x, int bits) { return (x << (32 - bits)) >> (32 - bits); }
inline int64_t shifted(int64_t x, int by) { return by < 0 ? x >> -by : static_cast<int64_t>(static_cast<uint64_t>(x) << by); }
template <typename N> int64_t lane(D x, int i) { return static_cast<N>(static_cast<uint64_t>(x) >> (8 * sizeof(N) * i)); }
inline ub byte_of(const V &x, int i) { return x.get<ub>(i); }
inline W shuffled(V x, V y, R by, bool up)
{
    W out{y, x};
    for (int step = 0; step < 7; step++) {
        const int at = up ? 1 << step : 64 >> step;
        for (int k = 0; (by & at) && k < BYTES; k++)
            if (!(k & at)) {
                const ub one = byte_of(out.half[1], k), other = byte_of(out.half[0], k + at);
                out.half[1].set<ub>(k, other);
                out.half[0].set<ub>(k + at, one);
            }
    }
    return out;
}
inline V network(V x, const V &y, bool up)
{
    for (int step = 0; step < 7; step++) {
        const int at = up ? 1 << step : 64 >> step;
        x = each<ub>([&](int k) { return byte_of(x, byte_of(y, k) & at ? k ^ at : k); });
    }
    return x;
}
// Tables of 32 bytes, and of 16 halfwords; `all` takes every index.
inline int from_bytes(const V &table, int index, R which, bool all)
{
    const int found = all ? (index & 0x1f) | (which & 7) << 5 : index;
    return (found >> 5 == (which & 7)) * table.get<b>(2 * (found % 64) + (which >> 1 & 1));
}
inline int from_halves(const V &table, int index, R which, bool all)
{
    const int found = all ? (index & 0xf) | (which & 15) << 4 : index;
    return (found >> 4 == (which & 15)) * table.get<h>(2 * (found % 32) + (which >> 1 & 1));
}
template <typename T> T truncated(float x)
{
    const float low = float(std::numeric_limits<T>::min()), high = float(std::numeric_limits<T>::max());
    return std::isnan(x) ? 0 : x <= low ? std::numeric_limits<T>::min() : x >= high ? std::numeric_limits<T>::max() : T(x);
}
template <typename T> auto plus = [](T x, T y) { return T(float(x) + float(y)); };
template <typename T> auto minus = [](T x, T y) { return T(float(x) - float(y)); };
template <typename T> auto times = [](T x, T y) { return T(float(x) * float(y)); };
template <typename T> auto larger = [](T x, T y) { return x > y ? x : y; };
template <typename T> auto smaller = [](T x, T y) { return x < y ? x : y; };
template <typename T> auto greater = [](T x, T y) { return x > y; };
template <typename T> auto same = [](T x, T y) { return x == y; };
template <typename T> auto sum = [](T x, T y) { return T(uint32_t(x) + uint32_t(y)); };
template <typename T> auto difference = [](T x, T y) { return T(uint32_t(x) - uint32_t(y)); };
template <typename T> auto sat_sum = [](T x, T y) { return sat<T>(int64_t(x) + y); };
template <typename T> auto sat_difference = [](T x, T y) { return sat<T>(int64_t(x) - y); };

#define HVX(RESULT, NAME, PARAMETERS, MEANING, ...) inline RESULT NAME PARAMETERS { __VA_ARGS__ }

namespace table {
// Whole vectors and pairs.
HVX(V, Q6_V_vzero, (), "zeros", return V(Words{});)
HVX(W, Q6_W_vzero, (), "zeros", return W{V(Words{}), V(Words{})};)
HVX(V, Q6_V_lo_W, (W x), "the low half", return x.half[0];)
HVX(V, Q6_V_hi_W, (W x), "the high half", return x.half[1];)
HVX(W, Q6_W_vcombine_VV, (V x, V y), "y below x", return W{y, x};)
HVX(V, Q6_V_vsplat_R, (R r), "r in each word", return each<w>([&](int) { return r; });)
HVX(V, Q6_Vh_vsplat_R, (R r), "the low half of r in each halfword", return each<h>([&](int) { return r; });)
HVX(V, Q6_Vb_vsplat_R, (R r), "the low byte of r in each byte", return each<b>([&](int) { return r; });)
HVX(V, Q6_V_vand_VV, (V x, V y), "bitwise and", return V(x.words & y.words);)
HVX(V, Q6_V_vor_VV, (V x, V y), "bitwise or", return V(x.words | y.words);)
HVX(V, Q6_V_vxor_VV, (V x, V y), "bitwise exclusive or", return V(x.words ^ y.words);)
HVX(V, Q6_V_vnot_V, (V x), "bitwise not", return V(~x.words);)
HVX(V, Q6_V_equals_V, (V x), "x", return x;)
HVX(V, Q6_V_valign_VVR, (V x, V y, R r), "bytes from r % 128 on of y, then x", return each<ub>([&](int i) { const int at = i + (r & 127); return byte_of(at < 128 ? y : x, at & 127); });)
HVX(V, Q6_V_vlalign_VVR, (V x, V y, R r), "bytes from 128 - r % 128 on of y, then x", return each<ub>([&](int i) { const int at = i + 128 - (r & 127); return byte_of(at < 128 ? y : x, at & 127); });)
HVX(V, Q6_V_valign_VVI, (V x, V y, R r), "valign by an immediate", return Q6_V_valign_VVR(x, y, r & 7);)
HVX(V, Q6_V_vlalign_VVI, (V x, V y, R r), "vlalign by an immediate", return Q6_V_vlalign_VVR(x, y, r & 7);)
HVX(V, Q6_V_vror_VR, (V x, R r), "bytes turned down by r", return each<ub>([&](int i) { return byte_of(x, (i + r) & 127); });)
HVX(R, Q6_R_vextract_VR, (V x, R r), "the word at byte r", return x.get<w>((r & 127) / 4);)
HVX(V, Q6_V_vdelta_VV, (V x, V y), "the butterfly network by y, wide steps first", return network(x, y, false);)
HVX(V, Q6_V_vrdelta_VV, (V x, V y), "the butterfly network by y, narrow steps first", return network(x, y, true);)
HVX(W, Q6_W_vshuff_VVR, (V x, V y, R r), "elements of x and y interleaved, by the bits of r", return shuffled(x, y, r, true);)
HVX(W, Q6_W_vdeal_VVR, (V x, V y, R r), "elements of x and y dealt apart, by the bits of r", return shuffled(x, y, r, false);)

// Predicates.
HVX(V, Q6_V_vmux_QVV, (Q q, V x, V y), "x where q, else y", return V((q.mask.words & x.words) | (~q.mask.words & y.words));)
HVX(W, Q6_W_vswap_QVV, (Q q, V x, V y), "low: x where q, else y; high: the other", return W{Q6_V_vmux_QVV(q, x, y), Q6_V_vmux_QVV(q, y, x)};)
HVX(V, Q6_V_vand_QR, (Q q, R r), "the bytes of r where q, else 0", return V(q.mask.words & Q6_V_vsplat_R(r).words);)
HVX(Q, Q6_Q_vand_VR, (V x, R r), "whether x and r share a bit, for each byte", return compare<ub>(x, Q6_V_vsplat_R(r), [](ub a, ub c) { return a & c; });)
HVX(Q, Q6_Q_not_Q, (Q q), "not q", return Q{V(~q.mask.words)};)
HVX(Q, Q6_Q_and_QQ, (Q q, Q p), "q and p", return Q{V(q.mask.words & p.mask.words)};)
HVX(Q, Q6_Q_or_QQ, (Q q, Q p), "q or p", return Q{V(q.mask.words | p.mask.words)};)
HVX(Q, Q6_Q_vsetq_R, (R r), "the first r % 128 bytes", return Q{each<ub>([&](int i) { return i < (r & 127) ? 255 : 0; })};)
HVX(Q, Q6_Q_vsetq2_R, (R r), "the first r bytes, 1 to 128", return Q{each<ub>([&](int i) { return i <= ((r - 1) & 127) ? 255 : 0; })};)
HVX(Q, Q6_Q_vcmp_eq_VhVh, (V x, V y), "x == y", return compare<h>(x, y, same<h>);)
HVX(Q, Q6_Q_vcmp_eq_VwVw, (V x, V y), "x == y", return compare<w>(x, y, same<w>);)
HVX(Q, Q6_Q_vcmp_eq_VbVb, (V x, V y), "x == y", return compare<b>(x, y, same<b>);)
HVX(Q, Q6_Q_vcmp_gt_VbVb, (V x, V y), "x > y", return compare<b>(x, y, greater<b>);)
HVX(Q, Q6_Q_vcmp_gt_VubVub, (V x, V y), "x > y", return compare<ub>(x, y, greater<ub>);)
HVX(Q, Q6_Q_vcmp_gt_VhVh, (V x, V y), "x > y", return compare<h>(x, y, greater<h>);)
HVX(Q, Q6_Q_vcmp_gt_VuhVuh, (V x, V y), "x > y", return compare<uh>(x, y, greater<uh>);)
HVX(Q, Q6_Q_vcmp_gt_VwVw, (V x, V y), "x > y", return compare<w>(x, y, greater<w>);)
HVX(Q, Q6_Q_vcmp_gt_VuwVuw, (V x, V y), "x > y", return compare<uw>(x, y, greater<uw>);)
HVX(Q, Q6_Q_vcmp_gt_VsfVsf, (V x, V y), "x > y", return compare<sf>(x, y, greater<sf>);)
HVX(Q, Q6_Q_vcmp_gt_VhfVhf, (V x, V y), "x > y", return compare<hf>(x, y, greater<hf>);)
HVX(V, Q6_Vh_condacc_QVhVh, (Q q, V x, V y), "x + y where q, else x", return Q6_V_vmux_QVV(q, map<h>(x, y, sum<h>), x);)
HVX(V, Q6_Vw_condacc_QVwVw, (Q q, V x, V y), "x + y where q, else x", return Q6_V_vmux_QVV(q, map<w>(x, y, sum<w>), x);)

// Sums and differences of integers, modulo the lane unless they saturate.
HVX(V, Q6_Vb_vadd_VbVb, (V x, V y), "x + y", return map<b>(x, y, sum<b>);)
HVX(V, Q6_Vh_vadd_VhVh, (V x, V y), "x + y", return map<h>(x, y, sum<h>);)
HVX(V, Q6_Vw_vadd_VwVw, (V x, V y), "x + y", return map<w>(x, y, sum<w>);)
HVX(V, Q6_Vub_vadd_VubVub_sat, (V x, V y), "x + y, saturated", return map<ub>(x, y, sat_sum<ub>);)
HVX(V, Q6_Vh_vadd_VhVh_sat, (V x, V y), "x + y, saturated", return map<h>(x, y, sat_sum<h>);)
HVX(V, Q6_Vw_vadd_VwVw_sat, (V x, V y), "x + y, saturated", return map<w>(x, y, sat_sum<w>);)
HVX(V, Q6_Vb_vsub_VbVb, (V x, V y), "x - y", return map<b>(x, y, difference<b>);)
HVX(V, Q6_Vh_vsub_VhVh, (V x, V y), "x - y", return map<h>(x, y, difference<h>);)
HVX(V, Q6_Vw_vsub_VwVw, (V x, V y), "x - y", return map<w>(x, y, difference<w>);)
HVX(V, Q6_Vub_vsub_VubVub_sat, (V x, V y), "x - y, saturated", return map<ub>(x, y, sat_difference<ub>);)
HVX(V, Q6_Vh_vsub_VhVh_sat, (V x, V y), "x - y, saturated", return map<h>(x, y, sat_difference<h>);)
HVX(V, Q6_Vw_vsub_VwVw_sat, (V x, V y), "x - y, saturated", return map<w>(x, y, sat_difference<w>);)
HVX(W, Q6_Wh_vadd_WhWh, (W x, W y), "x + y", return W{map<h>(x.half[0], y.half[0], sum<h>), map<h>(x.half[1], y.half[1], sum<h>)};)
HVX(W, Q6_Ww_vadd_WwWw, (W x, W y), "x + y", return W{map<w>(x.half[0], y.half[0], sum<w>), map<w>(x.half[1], y.half[1], sum<w>)};)
HVX(W, Q6_Wh_vadd_WhWh_sat, (W x, W y), "x + y, saturated", return W{map<h>(x.half[0], y.half[0], sat_sum<h>), map<h>(x.half[1], y.half[1], sat_sum<h>)};)
HVX(W, Q6_Wh_vsub_WhWh, (W x, W y), "x - y", return W{map<h>(x.half[0], y.half[0], difference<h>), map<h>(x.half[1], y.half[1], difference<h>)};)
HVX(W, Q6_Ww_vsub_WwWw, (W x, W y), "x - y", return W{map<w>(x.half[0], y.half[0], difference<w>), map<w>(x.half[1], y.half[1], difference<w>)};)
HVX(W, Q6_Wh_vadd_VubVub, (V x, V y), "x + y, widened", return widen<h>([&](int i, int k) { return part<ub>(x, i, k) + part<ub>(y, i, k); });)
HVX(W, Q6_Wh_vsub_VubVub, (V x, V y), "x - y, widened", return widen<h>([&](int i, int k) { return part<ub>(x, i, k) - part<ub>(y, i, k); });)
HVX(W, Q6_Ww_vadd_VhVh, (V x, V y), "x + y, widened", return widen<w>([&](int i, int k) { return part<h>(x, i, k) + part<h>(y, i, k); });)
HVX(W, Q6_Ww_vsub_VhVh, (V x, V y), "x - y, widened", return widen<w>([&](int i, int k) { return part<h>(x, i, k) - part<h>(y, i, k); });)
HVX(W, Q6_Ww_vadd_VuhVuh, (V x, V y), "x + y, widened", return widen<w>([&](int i, int k) { return part<uh>(x, i, k) + part<uh>(y, i, k); });)
HVX(W, Q6_Ww_vsub_VuhVuh, (V x, V y), "x - y, widened", return widen<w>([&](int i, int k) { return part<uh>(x, i, k) - part<uh>(y, i, k); });)
HVX(W, Q6_Ww_vaddacc_WwVhVh, (W x, V y, V z), "x + (y + z, widened)", return widen<w>([&](int i, int k) { return uint32_t(x.half[k].get<w>(i)) + part<h>(y, i, k) + part<h>(z, i, k); });)
HVX(V, Q6_Vub_vabsdiff_VubVub, (V x, V y), "|x - y|", return map<ub>(x, y, [](int p, int q) { return p > q ? p - q : q - p; });)
HVX(V, Q6_Vh_vabs_Vh, (V x), "|x|, modulo 2^16", return map<h>(x, [](int p) { return p < 0 ? -p : p; });)
HVX(V, Q6_Vw_vabs_Vw, (V x), "|x|, modulo 2^32", return map<w>(x, [](int64_t p) { return p < 0 ? -p : p; });)

// The larger and the smaller.
HVX(V, Q6_Vb_vmax_VbVb, (V x, V y), "the larger", return map<b>(x, y, larger<b>);)
HVX(V, Q6_Vub_vmax_VubVub, (V x, V y), "the larger", return map<ub>(x, y, larger<ub>);)
HVX(V, Q6_Vh_vmax_VhVh, (V x, V y), "the larger", return map<h>(x, y, larger<h>);)
HVX(V, Q6_Vuh_vmax_VuhVuh, (V x, V y), "the larger", return map<uh>(x, y, larger<uh>);)
HVX(V, Q6_Vw_vmax_VwVw, (V x, V y), "the larger", return map<w>(x, y, larger<w>);)
HVX(V, Q6_Vb_vmin_VbVb, (V x, V y), "the smaller", return map<b>(x, y, smaller<b>);)
HVX(V, Q6_Vub_vmin_VubVub, (V x, V y), "the smaller", return map<ub>(x, y, smaller<ub>);)
HVX(V, Q6_Vh_vmin_VhVh, (V x, V y), "the smaller", return map<h>(x, y, smaller<h>);)
HVX(V, Q6_Vuh_vmin_VuhVuh, (V x, V y), "the smaller", return map<uh>(x, y, smaller<uh>);)
HVX(V, Q6_Vw_vmin_VwVw, (V x, V y), "the smaller", return map<w>(x, y, smaller<w>);)

// Shifts: by a register modulo the lane's bits, or by signed lanes of one bit more, where a
// negative amount shifts the other way.
HVX(V, Q6_Vh_vasr_VhR, (V x, R r), "x >> r % 16", return map<h>(x, [&](h p) { return p >> (r & 15); });)
HVX(V, Q6_Vw_vasr_VwR, (V x, R r), "x >> r % 32", return map<w>(x, [&](w p) { return p >> (r & 31); });)
HVX(V, Q6_Vh_vasl_VhR, (V x, R r), "x << r % 16", return map<h>(x, [&](uh p) { return uint32_t(p) << (r & 15); });)
HVX(V, Q6_Vw_vasl_VwR, (V x, R r), "x << r % 32", return map<w>(x, [&](uw p) { return p << (r & 31); });)
HVX(V, Q6_Vuh_vlsr_VuhR, (V x, R r), "x >> r % 16, of unsigned x", return map<uh>(x, [&](uh p) { return p >> (r & 15); });)
HVX(V, Q6_Vuw_vlsr_VuwR, (V x, R r), "x >> r % 32, of unsigned x", return map<uw>(x, [&](uw p) { return p >> (r & 31); });)
HVX(V, Q6_Vh_vasr_VhVh, (V x, V y), "x >> y", return map<h>(x, y, [](h p, h q) { return shifted(p, -low_bits(q, 5)); });)
HVX(V, Q6_Vw_vasr_VwVw, (V x, V y), "x >> y", return map<w>(x, y, [](w p, w q) { return shifted(p, -low_bits(q, 6)); });)
HVX(V, Q6_Vh_vasl_VhVh, (V x, V y), "x << y", return map<h>(x, y, [](h p, h q) { return shifted(p, low_bits(q, 5)); });)
HVX(V, Q6_Vw_vasl_VwVw, (V x, V y), "x << y", return map<w>(x, y, [](w p, w q) { return shifted(p, low_bits(q, 6)); });)
HVX(V, Q6_Vh_vlsr_VhVh, (V x, V y), "x >> y, of unsigned x", return map<h>(x, y, [](uh p, h q) { return shifted(p, -low_bits(q, 5)); });)
HVX(V, Q6_Vw_vlsr_VwVw, (V x, V y), "x >> y, of unsigned x", return map<w>(x, y, [](uw p, w q) { return shifted(p, -low_bits(q, 6)); });)
HVX(V, Q6_Vw_vaslacc_VwVwR, (V x, V y, R r), "x + (y << r % 32)", return map<w>(x, y, [&](uw p, uw q) { return p + (q << (r & 31)); });)
HVX(V, Q6_Vw_vasracc_VwVwR, (V x, V y, R r), "x + (y >> r % 32)", return map<w>(x, y, [&](w p, w q) { return uint32_t(p) + uint32_t(q >> (r & 31)); });)
HVX(V, Q6_Vuw_vcl0_Vuw, (V x), "leading zeros", return map<uw>(x, [](uw p) { return p ? __builtin_clz(p) : 32; });)

// Narrower lanes. Of two operands the second gives the even lanes, or the first half.
HVX(V, Q6_Vub_vasr_VhVhR_rnd_sat, (V x, V y, R r), "lanes >> r % 8, rounded, saturated", return narrow<ub>(x, y, [&](const V &v, int i) { return sat<ub>(rounded(v.get<h>(i), r & 7)); });)
HVX(V, Q6_Vub_vasr_VhVhR_sat, (V x, V y, R r), "lanes >> r % 8, saturated", return narrow<ub>(x, y, [&](const V &v, int i) { return sat<ub>(v.get<h>(i) >> (r & 7)); });)
HVX(V, Q6_Vub_vasr_VuhVuhR_rnd_sat, (V x, V y, R r), "lanes >> r % 8, rounded, saturated", return narrow<ub>(x, y, [&](const V &v, int i) { return sat<ub>(rounded(v.get<uh>(i), r & 7)); });)
HVX(V, Q6_Vuh_vasr_VwVwR_rnd_sat, (V x, V y, R r), "lanes >> r % 16, rounded, saturated", return narrow<uh>(x, y, [&](const V &v, int i) { return sat<uh>(rounded(v.get<w>(i), r & 15)); });)
HVX(V, Q6_Vh_vasr_VwVwR_rnd_sat, (V x, V y, R r), "lanes >> r % 16, rounded, saturated", return narrow<h>(x, y, [&](const V &v, int i) { return sat<h>(rounded(v.get<w>(i), r & 15)); });)
HVX(V, Q6_Vub_vsat_VhVh, (V x, V y), "saturated", return narrow<ub>(x, y, [](const V &v, int i) { return sat<ub>(v.get<h>(i)); });)
HVX(V, Q6_Vh_vsat_VwVw, (V x, V y), "saturated", return narrow<h>(x, y, [](const V &v, int i) { return sat<h>(v.get<w>(i)); });)
HVX(V, Q6_Vub_vpack_VhVh_sat, (V x, V y), "y then x, saturated", return pack<ub>(x, y, [](const V &v, int i) { return sat<ub>(v.get<h>(i)); });)
HVX(V, Q6_Vb_vpack_VhVh_sat, (V x, V y), "y then x, saturated", return pack<b>(x, y, [](const V &v, int i) { return sat<b>(v.get<h>(i)); });)
HVX(V, Q6_Vh_vpack_VwVw_sat, (V x, V y), "y then x, saturated", return pack<h>(x, y, [](const V &v, int i) { return sat<h>(v.get<w>(i)); });)
HVX(V, Q6_Vuh_vpack_VwVw_sat, (V x, V y), "y then x, saturated", return pack<uh>(x, y, [](const V &v, int i) { return sat<uh>(v.get<w>(i)); });)
HVX(V, Q6_Vb_vpacke_VhVh, (V x, V y), "the low bytes of y then x", return pack<b>(x, y, [](const V &v, int i) { return v.get<b>(2 * i); });)
HVX(V, Q6_Vb_vpacko_VhVh, (V x, V y), "the high bytes of y then x", return pack<b>(x, y, [](const V &v, int i) { return v.get<b>(2 * i + 1); });)
HVX(V, Q6_Vh_vpacke_VwVw, (V x, V y), "the low halves of y then x", return pack<h>(x, y, [](const V &v, int i) { return v.get<h>(2 * i); });)
HVX(V, Q6_Vh_vpacko_VwVw, (V x, V y), "the high halves of y then x", return pack<h>(x, y, [](const V &v, int i) { return v.get<h>(2 * i + 1); });)
HVX(V, Q6_Vb_vshuff_Vb, (V x), "the two halves of x interleaved", return each<b>([&](int i) { return x.get<b>(i / 2 + i % 2 * 64); });)
HVX(V, Q6_Vh_vshuff_Vh, (V x), "the two halves of x interleaved", return each<h>([&](int i) { return x.get<h>(i / 2 + i % 2 * 32); });)
HVX(V, Q6_Vb_vdeal_Vb, (V x), "the even lanes, then the odd ones", return each<b>([&](int i) { return x.get<b>(i % 64 * 2 + i / 64); });)
HVX(V, Q6_Vh_vdeal_Vh, (V x), "the even lanes, then the odd ones", return each<h>([&](int i) { return x.get<h>(i % 32 * 2 + i / 32); });)
HVX(V, Q6_Vb_vshuffe_VbVb, (V x, V y), "the even lanes of y and x, interleaved", return narrow<b>(x, y, [](const V &v, int i) { return v.get<b>(2 * i); });)
HVX(V, Q6_Vb_vshuffo_VbVb, (V x, V y), "the odd lanes of y and x, interleaved", return narrow<b>(x, y, [](const V &v, int i) { return v.get<b>(2 * i + 1); });)
HVX(V, Q6_Vh_vshuffe_VhVh, (V x, V y), "the even lanes of y and x, interleaved", return narrow<h>(x, y, [](const V &v, int i) { return v.get<h>(2 * i); });)
HVX(V, Q6_Vh_vshuffo_VhVh, (V x, V y), "the odd lanes of y and x, interleaved", return narrow<h>(x, y, [](const V &v, int i) { return v.get<h>(2 * i + 1); });)
HVX(W, Q6_Wb_vshuffoe_VbVb, (V x, V y), "low: vshuffe; high: vshuffo", return W{Q6_Vb_vshuffe_VbVb(x, y), Q6_Vb_vshuffo_VbVb(x, y)};)
HVX(W, Q6_Wh_vshuffoe_VhVh, (V x, V y), "low: vshuffe; high: vshuffo", return W{Q6_Vh_vshuffe_VhVh(x, y), Q6_Vh_vshuffo_VhVh(x, y)};)

// Wider lanes: the even ones in the low half of the pair.
HVX(W, Q6_Wuh_vzxt_Vub, (V x), "widened", return widen<uh>([&](int i, int k) { return part<ub>(x, i, k); });)
HVX(W, Q6_Wuw_vzxt_Vuh, (V x), "widened", return widen<uw>([&](int i, int k) { return part<uh>(x, i, k); });)
HVX(W, Q6_Wh_vsxt_Vb, (V x), "widened", return widen<h>([&](int i, int k) { return part<b>(x, i, k); });)
HVX(W, Q6_Ww_vsxt_Vh, (V x), "widened", return widen<w>([&](int i, int k) { return part<h>(x, i, k); });)
HVX(W, Q6_Wh_vunpack_Vb, (V x), "widened, in order", return W{each<h>([&](int i) { return x.get<b>(i); }), each<h>([&](int i) { return x.get<b>(i + 64); })};)
HVX(W, Q6_Wuh_vunpack_Vub, (V x), "widened, in order", return W{each<uh>([&](int i) { return x.get<ub>(i); }), each<uh>([&](int i) { return x.get<ub>(i + 64); })};)
HVX(W, Q6_Ww_vunpack_Vh, (V x), "widened, in order", return W{each<w>([&](int i) { return x.get<h>(i); }), each<w>([&](int i) { return x.get<h>(i + 32); })};)
HVX(W, Q6_Wuw_vunpack_Vuh, (V x), "widened, in order", return W{each<uw>([&](int i) { return x.get<uh>(i); }), each<uw>([&](int i) { return x.get<uh>(i + 32); })};)

// Products.
HVX(V, Q6_Vh_vmpy_VhRh_s1_rnd_sat, (V x, R r), "2 x r / 2^16, rounded, saturated; r by halves", return each<h>([&](int i) { return sat<h>((2 * int64_t(x.get<h>(i)) * h(r >> i % 2 * 16) + 0x8000) >> 16); });)
HVX(V, Q6_Vh_vmpy_VhVh_s1_rnd_sat, (V x, V y), "2 x y / 2^16, rounded, saturated", return map<h>(x, y, [](int64_t p, int64_t q) { return sat<h>((2 * p * q + 0x8000) >> 16); });)
HVX(V, Q6_Vh_vmpyi_VhVh, (V x, V y), "x y, modulo 2^16", return map<h>(x, y, [](int64_t p, int64_t q) { return p * q; });)
HVX(V, Q6_Vw_vmpye_VwVuh, (V x, V y), "x times the low half of y, / 2^16", return map<w>(x, y, [](int64_t p, uw q) { return p * uh(q) >> 16; });)
HVX(V, Q6_Vw_vmpyo_VwVh_s1_rnd_sat, (V x, V y), "2 x times the high half of y, / 2^16, rounded, saturated", return map<w>(x, y, [](int64_t p, w q) { return sat<w>(((p * (q >> 16) >> 14) + 1) >> 1); });)
HVX(V, Q6_Vw_vmpyoacc_VwVwVh_s1_rnd_sat_shift, (V x, V y, V z), "(x + y times the high half of z) / 2^15, rounded, saturated", return each<w>([&](int i) { return sat<w>(((x.get<w>(i) + int64_t(y.get<w>(i)) * (z.get<w>(i) >> 16) >> 14) + 1) >> 1); });)
HVX(V, Q6_Vw_vmpyie_VwVuh, (V x, V y), "x times the low half of y, modulo 2^32", return map<w>(x, y, [](int64_t p, uw q) { return p * uh(q); });)
HVX(V, Q6_Vw_vmpyio_VwVh, (V x, V y), "x times the high half of y, modulo 2^32", return map<w>(x, y, [](int64_t p, w q) { return p * (q >> 16); });)
HVX(W, Q6_Ww_vmpy_VhVh, (V x, V y), "x y, widened", return widen<w>([&](int i, int k) { return part<h>(x, i, k) * part<h>(y, i, k); });)
HVX(W, Q6_Ww_vmpyacc_WwVhVh, (W x, V y, V z), "x + (y z, widened)", return widen<w>([&](int i, int k) { return uint32_t(x.half[k].get<w>(i)) + part<h>(y, i, k) * part<h>(z, i, k); });)
HVX(W, Q6_Wuw_vmpy_VuhVuh, (V x, V y), "x y, widened", return widen<uw>([&](int i, int k) { return part<uh>(x, i, k) * part<uh>(y, i, k); });)
HVX(W, Q6_Wuh_vmpy_VubVub, (V x, V y), "x y, widened", return widen<uh>([&](int i, int k) { return part<ub>(x, i, k) * part<ub>(y, i, k); });)
HVX(W, Q6_Wh_vmpy_VubVb, (V x, V y), "x y, widened", return widen<h>([&](int i, int k) { return part<ub>(x, i, k) * part<b>(y, i, k); });)
HVX(W, Q6_Wuh_vmpy_VubRub, (V x, R r), "x times the bytes of r, widened", return widen<uh>([&](int i, int k) { return part<ub>(x, i, k) * lane<ub>(r, (2 * i + k) % 4); });)
HVX(W, Q6_Wuh_vmpyacc_WuhVubVub, (W x, V y, V z), "x + (y z, widened)", return widen<uh>([&](int i, int k) { return x.half[k].get<uh>(i) + part<ub>(y, i, k) * part<ub>(z, i, k); });)
HVX(W, Q6_Wh_vmpa_WubRub, (W x, R r), "the halves of x times two bytes of r each, added", return widen<h>([&](int i, int k) { return part<ub>(x.half[0], i, k) * lane<ub>(r, 2 * k) + part<ub>(x.half[1], i, k) * lane<ub>(r, 2 * k + 1); });)
HVX(W, Q6_Wh_vmpa_WubRb, (W x, R r), "the halves of x times two bytes of r each, added", return widen<h>([&](int i, int k) { return part<ub>(x.half[0], i, k) * lane<b>(r, 2 * k) + part<ub>(x.half[1], i, k) * lane<b>(r, 2 * k + 1); });)
HVX(W, Q6_Ww_vmpa_WuhRb, (W x, R r), "the halves of x times two bytes of r each, added", return widen<w>([&](int i, int k) { return part<uh>(x.half[0], i, k) * lane<b>(r, 2 * k) + part<uh>(x.half[1], i, k) * lane<b>(r, 2 * k + 1); });)
HVX(V, Q6_Vh_vmpa_VhVhVuhPuh_sat, (V x, V y, D d), "(x y + 2^15 times the half of d that the two high bits of y name) / 2^16, saturated", return map<h>(x, y, [&](int64_t p, uh q) { return sat<h>((p * q + (lane<uh>(d, q >> 14) << 15)) >> 16); });)

// Tables.
HVX(V, Q6_Vb_vlut32_VbVbI, (V x, V y, R r), "entries of y by x where the index is in its part r, else 0", return each<b>([&](int i) { return from_bytes(y, byte_of(x, i), r, false); });)
HVX(V, Q6_Vb_vlut32_VbVbR, (V x, V y, R r), "entries of y by x where the index is in its part r, else 0", return Q6_Vb_vlut32_VbVbI(x, y, r);)
HVX(V, Q6_Vb_vlut32or_VbVbVbI, (V x, V y, V z, R r), "x or the entries of z by y", return V(x.words | Q6_Vb_vlut32_VbVbI(y, z, r).words);)
HVX(V, Q6_Vb_vlut32or_VbVbVbR, (V x, V y, V z, R r), "x or the entries of z by y", return V(x.words | Q6_Vb_vlut32_VbVbI(y, z, r).words);)
HVX(V, Q6_Vb_vlut32_VbVbR_nomatch, (V x, V y, R r), "entries of part r of y by x modulo 32", return each<b>([&](int i) { return from_bytes(y, byte_of(x, i), r, true); });)
HVX(W, Q6_Wh_vlut16_VbVhR, (V x, V y, R r), "entries of y by x where the index is in its part r, else 0", return widen<h>([&](int i, int k) { return from_halves(y, byte_of(x, 2 * i + k), r, false); });)
HVX(W, Q6_Wh_vlut16_VbVhI, (V x, V y, R r), "entries of y by x where the index is in its part r, else 0", return Q6_Wh_vlut16_VbVhR(x, y, r);)
HVX(W, Q6_Wh_vlut16or_WhVbVhR, (W x, V y, V z, R r), "x or the entries of z by y", const W found = Q6_Wh_vlut16_VbVhR(y, z, r); return W{V(x.half[0].words | found.half[0].words), V(x.half[1].words | found.half[1].words)};)
HVX(W, Q6_Wh_vlut16or_WhVbVhI, (W x, V y, V z, R r), "x or the entries of z by y", return Q6_Wh_vlut16or_WhVbVhR(x, y, z, r);)
HVX(W, Q6_Wh_vlut16_VbVhR_nomatch, (V x, V y, R r), "entries of part r of y by x modulo 16", return widen<h>([&](int i, int k) { return from_halves(y, byte_of(x, 2 * i + k), r, true); });)
HVX(V, Q6_Vh_vlut4_VuhPh, (V x, D d), "the half of d that the two high bits of x name", return map<uh>(x, [&](uh p) { return lane<uh>(d, p >> 14); });)

// Floats.
HVX(V, Q6_Vqf32_vadd_VsfVsf, (V x, V y), "x + y", return map<sf>(x, y, plus<sf>);)
HVX(V, Q6_Vqf32_vadd_Vqf32Vqf32, (V x, V y), "x + y", return map<sf>(x, y, plus<sf>);)
HVX(V, Q6_Vqf32_vadd_Vqf32Vsf, (V x, V y), "x + y", return map<sf>(x, y, plus<sf>);)
HVX(V, Q6_Vsf_vadd_VsfVsf, (V x, V y), "x + y", return map<sf>(x, y, plus<sf>);)
HVX(V, Q6_Vqf32_vsub_VsfVsf, (V x, V y), "x - y", return map<sf>(x, y, minus<sf>);)
HVX(V, Q6_Vqf32_vsub_Vqf32Vqf32, (V x, V y), "x - y", return map<sf>(x, y, minus<sf>);)
HVX(V, Q6_Vqf32_vsub_Vqf32Vsf, (V x, V y), "x - y", return map<sf>(x, y, minus<sf>);)
HVX(V, Q6_Vsf_vsub_VsfVsf, (V x, V y), "x - y", return map<sf>(x, y, minus<sf>);)
HVX(V, Q6_Vqf32_vmpy_VsfVsf, (V x, V y), "x y", return map<sf>(x, y, times<sf>);)
HVX(V, Q6_Vqf32_vmpy_Vqf32Vqf32, (V x, V y), "x y", return map<sf>(x, y, times<sf>);)
HVX(V, Q6_Vsf_vmpy_VsfVsf, (V x, V y), "x y", return map<sf>(x, y, times<sf>);)
HVX(V, Q6_Vsf_vmax_VsfVsf, (V x, V y), "the larger", return map<sf>(x, y, larger<sf>);)
HVX(V, Q6_Vsf_vmin_VsfVsf, (V x, V y), "the smaller", return map<sf>(x, y, smaller<sf>);)
HVX(V, Q6_Vsf_equals_Vqf32, (V x), "x", return x;)
HVX(V, Q6_Vqf32_equals_Vsf, (V x), "x", return x;)
HVX(V, Q6_Vsf_equals_Vw, (V x), "x as a float, rounded", return each<sf>([&](int i) { return sf(x.get<w>(i)); });)
HVX(V, Q6_Vw_equals_Vsf, (V x), "x as an integer, toward zero", return each<w>([&](int i) { return truncated<w>(x.get<sf>(i)); });)
HVX(V, Q6_Vqf16_vadd_VhfVhf, (V x, V y), "x + y", return map<hf>(x, y, plus<hf>);)
HVX(V, Q6_Vqf16_vadd_Vqf16Vqf16, (V x, V y), "x + y", return map<hf>(x, y, plus<hf>);)
HVX(V, Q6_Vqf16_vadd_Vqf16Vhf, (V x, V y), "x + y", return map<hf>(x, y, plus<hf>);)
HVX(V, Q6_Vhf_vadd_VhfVhf, (V x, V y), "x + y", return map<hf>(x, y, plus<hf>);)
HVX(V, Q6_Vqf16_vsub_VhfVhf, (V x, V y), "x - y", return map<hf>(x, y, minus<hf>);)
HVX(V, Q6_Vqf16_vsub_Vqf16Vqf16, (V x, V y), "x - y", return map<hf>(x, y, minus<hf>);)
HVX(V, Q6_Vqf16_vsub_Vqf16Vhf, (V x, V y), "x - y", return map<hf>(x, y, minus<hf>);)
HVX(V, Q6_Vhf_vsub_VhfVhf, (V x, V y), "x - y", return map<hf>(x, y, minus<hf>);)
HVX(V, Q6_Vqf16_vmpy_VhfVhf, (V x, V y), "x y", return map<hf>(x, y, times<hf>);)
HVX(V, Q6_Vqf16_vmpy_Vqf16Vqf16, (V x, V y), "x y", return map<hf>(x, y, times<hf>);)
HVX(V, Q6_Vqf16_vmpy_Vqf16Vhf, (V x, V y), "x y", return map<hf>(x, y, times<hf>);)
HVX(V, Q6_Vhf_vmpy_VhfVhf, (V x, V y), "x y", return map<hf>(x, y, times<hf>);)
HVX(V, Q6_Vhf_vmax_VhfVhf, (V x, V y), "the larger", return map<hf>(x, y, larger<hf>);)
HVX(V, Q6_Vhf_vmin_VhfVhf, (V x, V y), "the smaller", return map<hf>(x, y, smaller<hf>);)
HVX(V, Q6_Vhf_equals_Vqf16, (V x), "x", return x;)
HVX(V, Q6_Vqf16_equals_Vhf, (V x), "x", return x;)
HVX(V, Q6_Vhf_equals_Vh, (V x), "x as a float, rounded", return each<hf>([&](int i) { return hf(float(x.get<h>(i))); });)
HVX(V, Q6_Vh_equals_Vhf, (V x), "x as an integer, toward zero", return each<h>([&](int i) { return truncated<h>(x.get<hf>(i)); });)
HVX(W, Q6_Wqf32_vmpy_VhfVhf, (V x, V y), "x y, widened", return widen<sf>([&](int i, int k) { return float(x.get<hf>(2 * i + k)) * float(y.get<hf>(2 * i + k)); });)
HVX(W, Q6_Wsf_vmpyacc_WsfVhfVhf, (W x, V y, V z), "x + (y z, widened)", return widen<sf>([&](int i, int k) { return x.half[k].get<sf>(i) + float(y.get<hf>(2 * i + k)) * float(z.get<hf>(2 * i + k)); });)
HVX(W, Q6_Wsf_vcvt_Vhf, (V x), "widened", return widen<sf>([&](int i, int k) { return float(x.get<hf>(2 * i + k)); });)
HVX(V, Q6_Vhf_equals_Wqf32, (W x), "the low half of x in even lanes, the high half in odd ones", return each<hf>([&](int i) { return hf(x.half[i % 2].get<sf>(i / 2)); });)
HVX(V, Q6_Vhf_vcvt_VsfVsf, (V x, V y), "y in even lanes, x in odd ones", return each<hf>([&](int i) { return hf((i % 2 ? x : y).get<sf>(i / 2)); });)

// Scalar registers.
HVX(R, Q6_R_min_RR, (R x, R y), "the smaller", return x < y ? x : y;)
HVX(R, Q6_R_max_RR, (R x, R y), "the larger", return x > y ? x : y;)
HVX(R, Q6_R_combine_RlRl, (R x, R y), "the low half of x above that of y", return R(uint32_t(x) << 16 | (uint32_t(y) & 0xffff));)
HVX(D, Q6_P_combine_RR, (R x, R y), "x above y", return D(uint64_t(uint32_t(x)) << 32 | uint32_t(y));)
HVX(R, Q6_R_ct0_R, (R x), "trailing zeros", return x ? __builtin_ctz(x) : 32;)
HVX(R, Q6_R_cl0_R, (R x), "leading zeros", return x ? __builtin_clz(x) : 32;)
HVX(R, Q6_R_vsplatb_R, (R x), "the low byte in each byte", return R(uint32_t(x & 255) * 0x01010101u);)
}  // namespace table
}  // namespace hvx
using namespace hvx::table;

inline void Q6_dcfetch_A(const void *) {}
inline void Q6_dczeroa_A(void *) {}
inline void Q6_l2fetch_AR(const void *, int32_t) {}
inline void Q6_l2fetch_AP(const void *, int64_t) {}
#endif

#define vmem(AT) (*(HVX_Vector *)(AT))
#define vmemu(AT) (*(HVX_UVector *)(AT))
#define q6op_vldu_A(AT) vmemu(AT)
// Templates, so that a function of the source that has the same name comes first.
template <int = 0> inline void q6op_vstu_AV(void *at, HVX_Vector v) { std::memcpy(at, &v, hvx::BYTES); }
// The first n bytes, 128 of them at most.
template <int = 0> inline void q6op_vstu_variable_ARV(void *at, uint32_t n, HVX_Vector v) { std::memcpy(at, &v, n < 128 ? n : 128); }
template <int = 0> inline void vstu_variable(void *at, uint32_t n, HVX_Vector v) { q6op_vstu_variable_ARV(at, n, v); }
template <int = 0> inline void hvx_store_vec_x2_unaligned_inline(void *at, HVX_Vector first, HVX_Vector second)
{
    std::memcpy(at, &first, hvx::BYTES);
    std::memcpy(static_cast<char *>(at) + hvx::BYTES, &second, hvx::BYTES);
}
