// The functions of the C library's math.h for Hexagon, by plain code: it takes more packets than the
// device's own. What is exact (rounding, quotients, roots, remainders) is so to the last bit. Others
// are computed in double, to about 1e-15 of their value, those of float are rounded from that.
#include <cstdint>
#include <cstring>

extern "C" {
[[noreturn]] void htp_none(const char *name);

static uint64_t bits_of(double x) { uint64_t bits; memcpy(&bits, &x, 8); return bits; }
static double of_bits(uint64_t bits) { double x; memcpy(&x, &bits, 8); return x; }
static const double INF = __builtin_inf(), NOT = __builtin_nan("");
static const uint64_t SIGN = uint64_t(1) << 63, HIDDEN = uint64_t(1) << 52, ENDLESS = uint64_t(2047) << 52;
static bool is_nan(double x) { return x != x; }

// A number's power of two, with the 53 bits of its fraction made whole.
static int parted(uint64_t size, uint64_t *whole)
{
    int power = int(size >> 52);
    *whole = (size & (HIDDEN - 1)) | (power ? HIDDEN : 0);
    for (power += !power; *whole && !(*whole & HIDDEN); power--) *whole <<= 1;
    return power;
}
// The double of a fraction of 53 bits with two more behind it, the last of which is sticky.
static double joined(uint64_t sign, int power, uint64_t whole)
{
    if (power >= 2047) return of_bits(sign | ENDLESS);
    for (; power < 1 && whole > 1; power++) whole = whole >> 1 | (whole & 1);
    const uint64_t kept = (whole >> 54 ? uint64_t(power - 1) << 52 : 0) + (whole >> 2);
    return of_bits(sign | (kept + ((whole & 3) > 2 || ((whole & 3) == 2 && (whole & 4)))));
}
double __hexagon_divdf3(double a, double b)
{
    const uint64_t sign = (bits_of(a) ^ bits_of(b)) & SIGN, x = bits_of(a) & ~SIGN, y = bits_of(b) & ~SIGN;
    if (x > ENDLESS || y > ENDLESS) return x > ENDLESS ? a : b;
    if (x == y && (!x || x == ENDLESS)) return NOT;
    if (x == ENDLESS || !y) return of_bits(sign | ENDLESS);
    if (y == ENDLESS || !x) return of_bits(sign);
    uint64_t p, q, quotient = 0;
    int power = parted(x, &p) - parted(y, &q) + 1023;
    if (p < q) p <<= 1, power--;
    for (int i = 0; i < 55; i++, p <<= 1) {
        quotient <<= 1;
        if (p >= q) p -= q, quotient |= 1;
    }
    return joined(sign, power, quotient | (p != 0));
}
double sqrt(double a)
{
    const uint64_t x = bits_of(a);
    if (!(x << 1) || is_nan(a) || a == INF) return a;
    if (a < 0) return NOT;
    uint64_t whole, rest = 0, root = 0;
    const int power = parted(x, &whole) - 1023;
    // Two bits of the square for each bit of the root.
    whole <<= 10 + (power & 1);
    for (int i = 0; i < 55; i++, whole <<= 2) {
        rest = rest << 2 | whole >> 62;
        const uint64_t trial = root << 2 | 1;
        root <<= 1;
        if (rest >= trial) rest -= trial, root |= 1;
    }
    return joined(0, (power >> 1) + 1023, root | (rest != 0));
}

// Rounding: the fraction's bits are cut off, or counted.
double trunc(double x)
{
    const int power = int(bits_of(x) >> 52 & 2047) - 1023;
    if (power >= 52) return x;
    if (power < 0) return of_bits(bits_of(x) & SIGN);
    return of_bits(bits_of(x) & ~((HIDDEN - 1) >> power));
}
double floor(double x) { const double t = trunc(x); return t > x ? t - 1 : t; }
double ceil(double x) { const double t = trunc(x); return t < x ? __builtin_copysign(t + 1, x) : t; }
double round(double x) { const double t = trunc(x); return __builtin_fabs(x - t) >= 0.5 ? t + __builtin_copysign(1, x) : t; }
// To the nearest, ties to even, as the processor does where the fraction is pushed out.
double rint(double x)
{
    const double size = __builtin_fabs(x);
    if (!(size < 0x1p52)) return x;
    const volatile double shifted = size + 0x1p52;
    return __builtin_copysign(shifted - 0x1p52, x);
}
double nearbyint(double x) { return rint(x); }
long lround(double x) { return long(round(x)); }
long lrint(double x) { return long(rint(x)); }
long long llround(double x) { return (long long)round(x); }
long long llrint(double x) { return (long long)rint(x); }
double frexp(double x, int *power)
{
    *power = 0;
    if (!x || is_nan(x) || x - x != 0) return x;
    uint64_t whole;
    *power = parted(bits_of(x) & ~SIGN, &whole) - 1022;
    return of_bits((bits_of(x) & SIGN) | uint64_t(1022) << 52 | (whole & (HIDDEN - 1)));
}
double ldexp(double x, int by)
{
    // In steps, of which the last alone may round.
    for (; by > 1000 && x && x - x == 0; by -= 1000) x *= 0x1p1000;
    for (; by < -900 && x && x - x == 0; by += 900) x *= 0x1p-900;
    return by > 1000 || by < -900 ? x : x * of_bits(uint64_t(by + 1023) << 52);
}
double scalbn(double x, int by) { return ldexp(x, by); }
double modf(double x, double *whole)
{
    *whole = trunc(x);
    return __builtin_copysign(x - x != 0 && !is_nan(x) ? 0 : x - *whole, x);
}
double fmod(double a, double b)
{
    const uint64_t x = bits_of(a) & ~SIGN, y = bits_of(b) & ~SIGN;
    if (x >= ENDLESS || y > ENDLESS || !y) return NOT;
    uint64_t p, q;
    if (x < y) return a;
    int power = parted(x, &p);
    const int least = parted(y, &q);
    for (;; power--, p <<= 1) {
        if (p >= q) p -= q;
        if (power == least) break;
    }
    if (!p) return of_bits(bits_of(a) & SIGN);
    for (power = least; !(p & HIDDEN) && power > 1; power--) p <<= 1;
    const uint64_t size = (p & HIDDEN ? uint64_t(power) << 52 : 0) | (p & (HIDDEN - 1));
    return of_bits((bits_of(a) & SIGN) | size);
}

// Series, on a short range around 0 or 1. Their loops are unrolled, so that factors are constants.
#define UNROLLED _Pragma("clang loop unroll(full)")
// A quotient within its last places, of numbers whose reciprocals are normal ones.
static double near_quotient(double a, double b)
{
    double r = of_bits(0x7fde6238502484ba - (bits_of(b) & ~SIGN));
    const double size = __builtin_fabs(b);
    UNROLLED for (int i = 0; i < 5; i++) r *= 2 - size * r;
    r = __builtin_copysign(r, b);
    const double q = a * r;
    return q + r * (a - q * b);
}
static const double LN2_HIGH = 0x1.62e42fefa38p-1, LN2_LOW = 0x1.ef35793c7673p-45;
double exp(double x)
{
    if (is_nan(x)) return x;
    if (x > 710) return INF;
    if (x < -750) return 0;
    const double k = rint(x * 0x1.71547652b82fep+0), r = x - k * LN2_HIGH - k * LN2_LOW;
    double sum = 1;
    UNROLLED for (int n = 14; n > 0; n--) sum = 1 + sum * r * (1.0 / n);
    return ldexp(sum, int(k));
}
double log(double x)
{
    if (is_nan(x) || x == INF) return x;
    if (x <= 0) return x < 0 ? NOT : -INF;
    int k;
    double m = frexp(x, &k);
    if (m < 0x1.6a09e667f3bcdp-1) m *= 2, k--;
    const double s = near_quotient(m - 1, m + 1), square = s * s;
    double sum = 0;
    UNROLLED for (int n = 25; n > 0; n -= 2) sum = sum * square + 1.0 / n;
    return k * LN2_HIGH + (2 * s * sum + k * LN2_LOW);
}
double exp2(double x) { const double k = rint(x); return x - x != 0 ? exp(x) : ldexp(exp((x - k) * 0x1.62e42fefa39efp-1), int(k > 5000 ? 5000 : k < -5000 ? -5000 : k)); }
double log2(double x) { int k; const double m = frexp(x, &k); return x > 0 && x != INF ? (m == 0.5 ? k - 1 : k + log(m) * 0x1.71547652b82fep+0) : log(x); }
double log10(double x) { return log(x) * 0x1.bcb7b1526e50ep-2; }
double expm1(double x)
{
    const double u = exp(x);
    if (u == 1 || is_nan(x)) return x;
    return u - 1 == -1 || u == INF ? u - 1 : near_quotient((u - 1) * x, log(u));
}
double log1p(double x) { const double u = 1 + x; return u == 1 ? x : u <= 0 || u - u != 0 ? log(u) : near_quotient(log(u) * x, u - 1); }
double tanh(double x)
{
    if (is_nan(x) || !x) return x;
    const double size = __builtin_fabs(x), t = size > 22 ? INF : expm1(2 * size);
    return __builtin_copysign(t == INF ? 1 : near_quotient(t, t + 2), x);
}
double sinh(double x) { const double t = expm1(__builtin_fabs(x)); return __builtin_copysign(t == INF ? t : (t + t / (t + 1)) / 2, x); }
double cosh(double x) { const double e = exp(__builtin_fabs(x)); return (e + 1 / e) / 2; }
double pow(double x, double y)
{
    if (y == 0 || x == 1) return 1;
    if (is_nan(x) || is_nan(y)) return NOT;
    const bool whole = trunc(y) == y, odd = whole && __builtin_fabs(y) < 0x1p53 && trunc(y / 2) * 2 != y;
    const double size = __builtin_fabs(x);
    if (x < 0 && !whole && x != -INF) return NOT;
    double result = size == 1 ? 1 : exp(y * log(size));
    // Powers that are small and whole are products.
    if (whole && __builtin_fabs(y) <= 64) {
        result = 1;
        for (int n = int(__builtin_fabs(y)); n; n--) result *= size;
        if (y < 0) result = 1 / result;
    }
    return (bits_of(x) & SIGN) && odd ? -result : result;
}
static double sine(double x, int quarter)
{
    if (x - x != 0) return NOT;
    if (__builtin_fabs(x) > 0x1p20) htp_none("a sine or cosine of more than 2^20");
    const double k = rint(x * 0x1.45f306dc9c883p-1);
    const double r = ((x - k * 0x1.921fb544p+0) - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
    quarter += int(int64_t(k) & 3);
    const double square = r * r;
    const bool even = quarter & 1;
    double sum = 1;
    if (even)
        UNROLLED for (int n = 20; n > 0; n -= 2) sum = 1 - sum * square * (1.0 / (n * (n - 1)));
    else
        UNROLLED for (int n = 20; n > 0; n -= 2) sum = 1 - sum * square * (1.0 / (n * (n + 1)));
    if (!even) sum *= r;
    return quarter & 2 ? -sum : sum;
}
double sin(double x) { return x ? sine(x, 0) : x; }
double cos(double x) { return sine(x, 1); }
double tan(double x) { return x ? sine(x, 0) / sine(x, 1) : x; }
static const double HALF_PI = 0x1.921fb54442d18p+0;
double atan(double x)
{
    if (is_nan(x) || !x) return x;
    double size = __builtin_fabs(x), add = 0, sign = 1;
    if (size > 1) size = 1 / size, add = HALF_PI, sign = -1;
    const double root = 0x1.bb67ae8584caap+0;
    if (size > 0.268) add += sign * 0x1.0c152382d7366p-1, size = near_quotient(size * root - 1, root + size);
    const double square = size * size;
    double sum = 0;
    UNROLLED for (int n = 31; n > 0; n -= 2) sum = 1.0 / n - sum * square;
    return __builtin_copysign(add + sign * size * sum, x);
}
double atan2(double y, double x)
{
    if (is_nan(x) || is_nan(y)) return NOT;
    const bool left = bits_of(x) & SIGN;
    double size = y == 0 ? 0 : x == 0 ? HALF_PI : atan(__builtin_fabs(y / x));
    if (x - x != 0 && y - y != 0) size = HALF_PI / 2;
    return __builtin_copysign(left ? 2 * HALF_PI - size : size, y);
}
double asin(double x) { return x ? atan2(x, sqrt((1 - x) * (1 + x))) : x; }
double acos(double x) { return 2 * atan2(sqrt(1 - x), sqrt(1 + x)); }
double fmax(double x, double y) { return is_nan(x) || x < y ? y : x; }
double fmin(double x, double y) { return is_nan(x) || x > y ? y : x; }
double fdim(double x, double y) { return x <= y ? 0 : x - y; }
double hypot(double x, double y) { return sqrt(x * x + y * y); }
double erf(double x)
{
    const double size = __builtin_fabs(x);
    if (is_nan(x) || size > 6) return is_nan(x) ? x : __builtin_copysign(1, x);
    double term = size, sum = size;
    for (int n = 1; term > sum * 1e-18; n++) term = near_quotient(term * 2 * size * size, 2 * n + 1), sum += term;
    return __builtin_copysign(0x1.20dd750429b6dp+0 * exp(-size * size) * sum, x);
}
// Not turned back into calls of the float functions.
#define PLAIN __attribute__((no_builtin))
#define OF_FLOAT(NAME) PLAIN float NAME##f(float x) { return float(NAME(double(x))); }
OF_FLOAT(trunc) OF_FLOAT(floor) OF_FLOAT(ceil) OF_FLOAT(round) OF_FLOAT(rint) OF_FLOAT(nearbyint)
OF_FLOAT(exp) OF_FLOAT(log) OF_FLOAT(exp2) OF_FLOAT(log2) OF_FLOAT(log10) OF_FLOAT(expm1) OF_FLOAT(log1p)
OF_FLOAT(tanh) OF_FLOAT(sinh) OF_FLOAT(cosh) OF_FLOAT(sin) OF_FLOAT(cos) OF_FLOAT(tan)
OF_FLOAT(asin) OF_FLOAT(acos) OF_FLOAT(atan) OF_FLOAT(erf)
PLAIN float powf(float x, float y) { return float(pow(x, y)); }
PLAIN float fmodf(float x, float y) { return float(fmod(x, y)); }
PLAIN float atan2f(float y, float x) { return float(atan2(y, x)); }
PLAIN float fmaxf(float x, float y) { return float(fmax(x, y)); }
PLAIN float fminf(float x, float y) { return float(fmin(x, y)); }
PLAIN float fdimf(float x, float y) { return float(fdim(x, y)); }
PLAIN float hypotf(float x, float y) { return float(hypot(x, y)); }
PLAIN float ldexpf(float x, int by) { return float(ldexp(x, by)); }
PLAIN float scalbnf(float x, int by) { return float(ldexp(x, by)); }
PLAIN float frexpf(float x, int *power) { return float(frexp(x, power)); }
PLAIN float modff(float x, float *whole) { double w; const double rest = modf(x, &w); *whole = float(w); return float(rest); }
PLAIN long lroundf(float x) { return lround(x); }
PLAIN long lrintf(float x) { return lrint(x); }
}
