// Tensors over the session's memory: `Tensor`, whose elements are read and written as floats
// whatever is stored, and the concrete classes, which fix element type, layout and memory.
#pragma once
#include <array>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "dtypes.h"
#include "interface.h"

using Idx = size_t;
// The status of a call. Kernels may return it or an int.
struct GraphStatus {
    enum Code : int32_t {
        Success = 0, ErrorFatal = -1, ErrorUnsupported = -2, ErrorDimensions = -3, ErrorRank = -4,
        ErrorPrecision = -5, ErrorNoOp = -6, ErrorBadInput = -7, ErrorRankMismatch = -8
    };
    int32_t code;
    constexpr GraphStatus(int32_t of = Success) : code(of) {}
    constexpr operator int32_t() const { return code; }
};
enum class MemoryType : uint32_t { MainMemory, TCM };
using OutputDims = std::array<size_t, 4>;

namespace htp {
// The rows, columns and channels of a chunk of 2,048 bytes, and the place of an element in it.
struct Chunk {
    size_t height = 1, width = 1, depth = 1;
};
struct LayoutSizes {
    std::array<size_t, 4> ChunkSizes;
};
constexpr Chunk chunk_of(size_t element_size) {
    return element_size == 1 ? Chunk{8, 8, 32} : element_size == 2 ? Chunk{8, 4, 32} : Chunk{8, 2, 32};
}
inline size_t place_in_chunk(size_t element_size, size_t h, size_t w, size_t d) {
    // Two-byte elements lie in pairs of columns.
    if (element_size == 2) return ((h * 2 + w / 2) * 32 + d) * 2 + w % 2;
    return (h * (element_size == 1 ? 8 : 2) + w) * 32 + d;
}
}  // namespace htp

// The end of a call at what is not there, HTP_LACKS, or at a result without the memory that its dims
// need, HTP_THREW.
namespace htp {
struct End {
    int32_t status;
    std::string text;
};
}  // namespace htp

class Tensor;

// An element of a tensor that may be written: a float to whoever reads it.
class TensorElement {
    Tensor &tensor;
    void *at;

  public:
    TensorElement(Tensor &of, void *address) : tensor(of), at(address) {}
    TensorElement(const TensorElement &) = default;
    inline operator float() const;
    inline TensorElement &operator=(float number);
    TensorElement &operator=(const TensorElement &other) { return *this = float(other); }
    TensorElement &operator+=(float number) { return *this = float(*this) + number; }
    TensorElement &operator-=(float number) { return *this = float(*this) - number; }
    TensorElement &operator*=(float number) { return *this = float(*this) * number; }
    TensorElement &operator/=(float number) { return *this = float(*this) / number; }
};

class Tensor {
  public:
    static constexpr const char *class_name = "Tensor";

    explicit Tensor(const htp_tensor &from)
        : extents{from.dims[0], from.dims[1], from.dims[2], from.dims[3]},
          kind(static_cast<DType>(from.dtype)), layout_kind(from.layout), in_tcm(from.tcm),
          element(htp::element_of(kind)), bytes(reinterpret_cast<uint8_t *>(from.offset)),
          nbytes(from.nbytes)
    {
        code.scale = from.scale;
        code.scale_recip = 1.0f / from.scale;
        code.zero = from.zero;
        limits = extents;
        lay_out();
    }
    virtual ~Tensor() = default;

    size_t rank() const { return 4; }
    size_t dim(size_t index) const { return index < 4 ? extents[index] : 1; }
    std::array<size_t, 4> dims() const { return extents; }
    template <typename... I> std::array<size_t, sizeof...(I)> dims(I... index) const
    {
        return {dim(static_cast<size_t>(index))...};
    }
    std::pair<const size_t *, size_t> get_dims() const { return {extents.data(), 4}; }
    // The result has its shape already: the call ends where another needs more bytes than that.
    bool set_dims(const size_t *wanted)
    {
        extents = {wanted[0], wanted[1], wanted[2], wanted[3]};
        if (storage_elements(extents) * element.size > nbytes && layout_kind != HTP_SHAPE)
            throw htp::End{HTP_THREW, "set_dims asks for " + text(extents) + ", the result has " + text(limits)};
        if (layout_kind == HTP_CROUTON) lay_out();
        return true;
    }
    bool set_dims(const Tensor &like) { return set_dims(like.extents.data()); }
    template <size_t N> bool set_dims(const std::array<size_t, N> &shape) { return set_dims(shape.data()); }
    template <typename T, size_t N> bool set_dims(const T (&shape)[N])
    {
        const size_t four[4] = {size_t(shape[0]), size_t(shape[1]), size_t(shape[2]), size_t(shape[3])};
        return set_dims(four);
    }
    bool set_dims(std::initializer_list<size_t> shape) { return set_dims(shape.begin()); }

    DType get_dtype() const { return kind; }
    size_t element_size() const { return element.size; }
    MemoryType memory_type() const { return in_tcm ? MemoryType::TCM : MemoryType::MainMemory; }
    bool is_quantized() const { return kind >= DType::QUInt8 && kind <= DType::QInt32; }
    float interface_scale() const { return code.scale; }
    float interface_scale_recip() const { return code.scale_recip; }
    int32_t interface_offset() const { return code.zero; }
    float get_interface_scale() const { return code.scale; }
    int32_t get_interface_offset() const { return code.zero; }

    void *raw_data() { return bytes; }
    const void *raw_data() const { return bytes; }
    const void *raw_data_const() const { return bytes; }
    size_t total_storage_elements() const { return storage_elements(extents); }
    size_t total_storage_bytes() const { return total_storage_elements() * element.size; }
    size_t total_elements() const { return extents[0] * extents[1] * extents[2] * extents[3]; }

    float operator()(Idx b, Idx h, Idx w, Idx d) const { return element.read(inside(b, h, w, d), code); }
    TensorElement operator()(Idx b, Idx h, Idx w, Idx d) { return {*this, inside(b, h, w, d)}; }
    float get_val(Idx b, Idx h, Idx w, Idx d) const { return (*this)(b, h, w, d); }
    float get(Idx b, Idx h, Idx w, Idx d) const { return (*this)(b, h, w, d); }
    void set(Idx b, Idx h, Idx w, Idx d, float number) { element.write(inside(b, h, w, d), code, number); }
    void *get_raw_addr(Idx b, Idx h, Idx w, Idx d) { return address(b, h, w, d); }
    const void *get_raw_addr(Idx b, Idx h, Idx w, Idx d) const { return address(b, h, w, d); }

    // The chunks of a tensor in croutons, by batch, row, column and depth.
    uint8_t **blocktab_ptr() const
    {
        if (layout_kind != HTP_CROUTON) throw std::logic_error("a block table is asked of a flat tensor");
        return const_cast<uint8_t **>(table.data());
    }
    size_t blocktab_len() const { return blocktab_ptr(), table.size(); }
    uint8_t *block_ptr(Idx b, Idx h, Idx w, Idx d) const { return blocktab_ptr()[chunk_number(b, h, w, d)]; }
    // How far apart in the table neighbours along batch, rows and columns are.
    std::array<size_t, 3> tile_strides() const
    {
        return {chunks[1] * chunks[2] * chunks[3], chunks[2] * chunks[3], chunks[3]};
    }

  protected:
    friend class TensorElement;
    std::array<size_t, 4> extents, limits, chunks{1, 1, 1, 1};
    DType kind;
    uint32_t layout_kind;
    bool in_tcm;
    htp::Element element;
    htp::Encoding code;
    uint8_t *bytes;
    size_t nbytes;
    std::vector<uint8_t *> table;

    uint8_t *address(Idx b, Idx h, Idx w, Idx d) const
    {
        if (layout_kind == HTP_CROUTON) {
            const htp::Chunk chunk = htp::chunk_of(element.size);
            const size_t place = htp::place_in_chunk(element.size, h % chunk.height, w % chunk.width, d % 32);
            return table[chunk_number(b, h, w, d)] + place * element.size;
        }
        return bytes + (((b * extents[1] + h) * extents[2] + w) * extents[3] + d) * element.size;
    }
    // The address of an element that is read or written. In checks it is refused beyond the memory.
    uint8_t *inside(Idx b, Idx h, Idx w, Idx d) const
    {
#ifdef HTP_BOUNDS
        if (layout_kind == HTP_CROUTON && chunk_number(b, h, w, d) >= table.size()) outside(b, h, w, d);
        if (layout_kind != HTP_CROUTON && size_t(address(b, h, w, d) - bytes) >= nbytes) outside(b, h, w, d);
#endif
        return address(b, h, w, d);
    }
    [[noreturn]] __attribute__((cold)) void outside(Idx b, Idx h, Idx w, Idx d) const
    {
        std::string where;
        for (Idx at : {b, h, w, d}) where += (where.empty() ? "" : ", ") + std::to_string(at);
        throw std::out_of_range("element (" + where + ") is outside a tensor of " + text(extents));
    }
    size_t chunk_number(Idx b, Idx h, Idx w, Idx d) const
    {
        const htp::Chunk chunk = htp::chunk_of(element.size);
        return ((b * chunks[1] + h / chunk.height) * chunks[2] + w / chunk.width) * chunks[3] + d / 32;
    }
    size_t storage_elements(const std::array<size_t, 4> &shape) const
    {
        if (layout_kind != HTP_CROUTON) return shape[0] * shape[1] * shape[2] * shape[3];
        const htp::Chunk chunk = htp::chunk_of(element.size);
        auto up = [](size_t n, size_t step) { return (n + step - 1) / step * step; };
        return shape[0] * up(shape[1], chunk.height) * up(shape[2], chunk.width) * up(shape[3], 32);
    }
    static std::string text(const std::array<size_t, 4> &shape)
    {
        std::string joined;
        for (size_t dim : shape) joined += (joined.empty() ? "" : "x") + std::to_string(dim);
        return joined;
    }
    void lay_out()
    {
        if (layout_kind != HTP_CROUTON) return;
        const htp::Chunk chunk = htp::chunk_of(element.size);
        auto parts = [](size_t n, size_t step) { return (n + step - 1) / step; };
        chunks = {extents[0], parts(extents[1], chunk.height), parts(extents[2], chunk.width), parts(extents[3], 32)};
        table.clear();
        for (size_t i = 0; i < chunks[0] * chunks[1] * chunks[2] * chunks[3]; i++) table.push_back(bytes + 2048 * i);
    }
};

inline TensorElement::operator float() const { return tensor.element.read(at, tensor.code); }
inline TensorElement &TensorElement::operator=(float number)
{
    tensor.element.write(at, tensor.code, number);
    return *this;
}

// A tensor of a known element type, layout and memory.
template <typename Def, htp_layout LAYOUT, bool TCM> class ConcreteTensor : public Tensor {
  public:
    using element_type = typename Def::element_type;
    using storage_type = element_type;
    static constexpr bool is_crouton = LAYOUT == HTP_CROUTON;
    static constexpr bool is_tcm = TCM;
    // The extents of a chunk along each dim; ones of a flat tensor.
    static constexpr htp::LayoutSizes layout = [] {
        const htp::Chunk chunk = LAYOUT == HTP_CROUTON ? htp::chunk_of(sizeof(element_type)) : htp::Chunk{};
        return htp::LayoutSizes{{1, chunk.height, chunk.width, chunk.depth}};
    }();
    using Tensor::Tensor;

    // Floats of 32 bits are elements themselves; others are read and written as floats.
    template <typename D = Def> using Ref = std::conditional_t<std::is_same_v<D, Tdefs::PlainFloat>, float &, TensorElement>;
    float operator()(Idx b, Idx h, Idx w, Idx d) const
    {
        return htp::read<element_type, Def::quantized>(of(b, h, w, d), code);
    }
    Ref<> operator()(Idx b, Idx h, Idx w, Idx d)
    {
        if constexpr (std::is_same_v<Def, Tdefs::PlainFloat>)
            return *of(b, h, w, d);
        else
            return {*this, of(b, h, w, d)};
    }
    element_type &get_raw(Idx b, Idx h, Idx w, Idx d) { return *of(b, h, w, d); }
    const element_type &get_raw(Idx b, Idx h, Idx w, Idx d) const { return *of(b, h, w, d); }
    element_type *get_raw_addr(Idx b, Idx h, Idx w, Idx d) { return place(b, h, w, d); }
    const element_type *get_raw_addr(Idx b, Idx h, Idx w, Idx d) const { return place(b, h, w, d); }
    element_type *data_ptr() { return reinterpret_cast<element_type *>(bytes); }
    const element_type *data_ptr() const { return reinterpret_cast<element_type *>(bytes); }
    element_type **blocktab_ptr() const { return reinterpret_cast<element_type **>(Tensor::blocktab_ptr()); }
    element_type *block_ptr(Idx b, Idx h, Idx w, Idx d) const
    {
        return reinterpret_cast<element_type *>(Tensor::block_ptr(b, h, w, d));
    }

  private:
    element_type *of(Idx b, Idx h, Idx w, Idx d) const { return reinterpret_cast<element_type *>(inside(b, h, w, d)); }
    element_type *place(Idx b, Idx h, Idx w, Idx d) const
    {
        return reinterpret_cast<element_type *>(address(b, h, w, d));
    }
};

// The classes by name, each in main memory and in TCM.
#define HTP_TENSOR_CLASS(NAME, DEF, LAYOUT)                                          \
    struct NAME : ConcreteTensor<Tdefs::DEF, LAYOUT, false> {                        \
        static constexpr const char *class_name = #NAME;                             \
        using ConcreteTensor::ConcreteTensor;                                        \
    };                                                                               \
    struct NAME##_TCM : ConcreteTensor<Tdefs::DEF, LAYOUT, true> {                   \
        static constexpr const char *class_name = #NAME "_TCM";                      \
        using ConcreteTensor::ConcreteTensor;                                        \
    };
HTP_TENSOR_CLASS(PlainFloatTensor, PlainFloat, HTP_FLAT)
HTP_TENSOR_CLASS(PlainFloat16Tensor, PlainFloat16, HTP_FLAT)
HTP_TENSOR_CLASS(QuantUint8Tensor, QuantUint8, HTP_FLAT)
HTP_TENSOR_CLASS(QuantInt8Tensor, QuantInt8, HTP_FLAT)
HTP_TENSOR_CLASS(QuantUint16Tensor, QuantUint16, HTP_FLAT)
HTP_TENSOR_CLASS(QuantInt16Tensor, QuantInt16, HTP_FLAT)
HTP_TENSOR_CLASS(QuantInt32Tensor, QuantInt32, HTP_FLAT)
HTP_TENSOR_CLASS(Int32Tensor, Int32, HTP_FLAT)
HTP_TENSOR_CLASS(Int64Tensor, Int64, HTP_FLAT)
HTP_TENSOR_CLASS(Bool8Tensor, Bool8, HTP_FLAT)
HTP_TENSOR_CLASS(FloatCroutonTensor, PlainFloat, HTP_CROUTON)
HTP_TENSOR_CLASS(F16CroutonTensor, PlainFloat16, HTP_CROUTON)
HTP_TENSOR_CLASS(QUint8CroutonTensor, QuantUint8, HTP_CROUTON)
HTP_TENSOR_CLASS(QInt8CroutonTensor, QuantInt8, HTP_CROUTON)
HTP_TENSOR_CLASS(QUint16CroutonTensor, QuantUint16, HTP_CROUTON)
HTP_TENSOR_CLASS(QInt16CroutonTensor, QuantInt16, HTP_CROUTON)
HTP_TENSOR_CLASS(QInt32CroutonTensor, QuantInt32, HTP_CROUTON)
HTP_TENSOR_CLASS(Int32CroutonTensor, Int32, HTP_CROUTON)
HTP_TENSOR_CLASS(Bool8CroutonTensor, Bool8, HTP_CROUTON)

// The older spelling of the flat classes.
namespace htp {
template <typename Def> struct Flat;
#define X(NAME) template <> struct Flat<Tdefs::NAME> { using type = NAME##Tensor; };
X(PlainFloat) X(PlainFloat16) X(QuantUint8) X(QuantInt8) X(QuantUint16) X(QuantInt16) X(QuantInt32)
X(Int32) X(Int64) X(Bool8)
#undef X
}  // namespace htp
template <typename Def> using TensorContiguous = typename htp::Flat<Def>::type;

// A shape: dims without data.
template <unsigned RANK> class TensorShape : public Tensor {
  public:
    static constexpr const char *class_name = "TensorShape<4>";
    using Tensor::Tensor;
};
using Shape = TensorShape<4>;
