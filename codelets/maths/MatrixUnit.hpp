// Products of floats on the host's matrix unit, which multiplies numbers of eight significant bits.
//
// A float is exactly the sum of three such numbers: high, middle and low. Of the nine products of
// two floats' parts six are formed; the three left out are together less than the rounding of a
// product of floats. The unit adds in single precision. It is sixteen times as fast as vectors of
// floats, so six passes with the parts to be made are still twice as fast.
//
// Where floats end it is not the same: parts below 2^-126 count as zero, so products of numbers
// below about 2^-110 lose digits; an infinity, or a number that rounds to one in eight bits, becomes
// NaN.
#pragma once

#include "maths/MatrixProduct.hpp"

// As older and as newer compilers name it.
#ifdef __AMXBF16__
#define SPILLWAY_MATRIX_UNIT
#endif
#ifdef __AMX_BF16__
#define SPILLWAY_MATRIX_UNIT
#endif

#ifdef SPILLWAY_MATRIX_UNIT
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace spillway {

#ifdef SPILLWAY_MATRIX_UNIT

// Linux saves the unit's registers only for processes that asked for them.
inline bool hasMatrixUnit() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  static const bool granted = syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
  return granted;
}

using Part = unsigned short; // the upper half of a float
using PartRow = Part __attribute__((ext_vector_type(32)));

constexpr unsigned kUnitSide = 16;                     // rows of a register, and floats in a row
constexpr unsigned kUnitInner = 2 * kUnitSide;         // parts in a row
constexpr unsigned kUnitBlock = 2 * kUnitSide;         // rows and columns multiplied at once
constexpr unsigned kUnitTile = kUnitSide * kUnitInner; // parts in a register
constexpr unsigned kNumParts = 3;
constexpr unsigned kUnitPack = kNumParts * 2 * kUnitTile; // kUnitBlock rows of kUnitInner floats

// The nearest float whose lower half is 0.
inline Row<kUnitSide> nearestPart(Row<kUnitSide> values) {
  using Bits = unsigned __attribute__((ext_vector_type(16)));
  return (Row<kUnitSide>)(((Bits)values + 0x8000u) & 0xffff0000u);
}

inline PartRow joinUpperHalves(Row<kUnitSide> first, Row<kUnitSide> second) {
  return __builtin_shufflevector((PartRow)first, (PartRow)second, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19,
                                 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53,
                                 55, 57, 59, 61, 63);
}

// kUnitInner floats to rows of the three parts, which lie `stride` parts from one another.
inline void splitRow(const float* from, Part* to, unsigned stride) {
  Row<kUnitSide> rest[2] = {loadRow<kUnitSide>(from), loadRow<kUnitSide>(from + kUnitSide)};
#pragma clang loop unroll(full)
  for (unsigned part = 0; part < kNumParts; ++part) {
    const Row<kUnitSide> parts[2] = {nearestPart(rest[0]), nearestPart(rest[1])};
    *reinterpret_cast<PartRow*>(to + part * stride) = joinUpperHalves(parts[0], parts[1]);
    rest[0] -= parts[0];
    rest[1] -= parts[1];
  }
}

// The same of `count` floats, followed by zeros.
inline void splitSomeOfRow(const float* from, unsigned count, Part* to, unsigned stride) {
  if (count >= kUnitInner) {
    splitRow(from, to, stride);
    return;
  }
  float padded[kUnitInner] = {};
  for (unsigned i = 0; i < count; ++i) {
    padded[i] = from[i];
  }
  splitRow(padded, to, stride);
}

// Where the high parts of row r of a block lie in a pack.
inline unsigned unitRow(unsigned r) {
  return r / kUnitSide * kUnitTile + r % kUnitSide * kUnitInner;
}

// `count` rows of weights to a block of columns: the unit wants pairs of neighbours of all columns
// side by side.
inline void packUnitColumns(const float* weights, unsigned long stride, unsigned inner,
                            unsigned count, Part* packs) {
  for (unsigned k = 0; k < inner; k += kUnitInner, packs += kUnitPack) {
    alignas(64) Part split[kUnitPack];
    for (unsigned c = 0; c < kUnitBlock; ++c) {
      splitSomeOfRow(weights + c * stride + k, c < count ? inner - k : 0, split + unitRow(c),
                     2 * kUnitTile);
    }
    for (unsigned tile = 0; tile < kUnitPack; tile += kUnitTile) {
      const float* from = reinterpret_cast<const float*>(split + tile);
      float* to = reinterpret_cast<float*>(packs + tile);
      for (unsigned i = 0; i < kUnitSide; i += kTurned) {
        for (unsigned j = 0; j < kUnitSide; j += kTurned) {
          turnRound(from + i * kUnitSide + j, kUnitSide, to + j * kUnitSide + i, kUnitSide);
        }
      }
    }
  }
}

// While one is alive, this thread's registers 0 to 3 are sums, 4 and 5 rows, 6 and 7 columns.
class MatrixUnit {
public:
  MatrixUnit() {
    struct {
      unsigned char palette = 1, start = 0, reserved[14] = {};
      unsigned short bytes[16] = {};
      unsigned char rows[16] = {};
    } shape;
    for (unsigned i = 0; i < 8; ++i) {
      shape.bytes[i] = 4 * kUnitSide;
      shape.rows[i] = kUnitSide;
    }
    _tile_loadconfig(&shape);
  }
  ~MatrixUnit() { _tile_release(); }
  MatrixUnit(const MatrixUnit&) = delete;
  MatrixUnit& operator=(const MatrixUnit&) = delete;

  // A block of c, kUnitBlock rows `stride` floats apart: rows times columns over `packs` packs.
  // meanwhile(): called while the unit works, about every 60 cycles.
  template <ProductSum sum, class Meanwhile>
  void multiply(const Part* rows, const Part* columns, unsigned packs, float* c,
                unsigned long stride, const Meanwhile& meanwhile) const {
    const unsigned long bytes = stride * sizeof(float);
    float *right = c + kUnitSide, *below = c + kUnitSide * stride, *last = below + kUnitSide;
    if constexpr (sum == ProductSum::Start) {
      _tile_zero(0);
      _tile_zero(1);
      _tile_zero(2);
      _tile_zero(3);
    } else {
      _tile_loadd(0, c, bytes);
      _tile_loadd(1, right, bytes);
      _tile_loadd(2, below, bytes);
      _tile_loadd(3, last, bytes);
    }
    for (unsigned p = 0; p < packs; ++p, rows += kUnitPack, columns += kUnitPack) {
      // From one product to the next one factor changes.
      loadRows(rows + kHigh);
      loadColumns(columns + kLow);
      multiply(meanwhile);
      loadColumns(columns + kMiddle);
      multiply(meanwhile);
      loadRows(rows + kMiddle);
      multiply(meanwhile);
      loadColumns(columns + kHigh);
      multiply(meanwhile);
      loadRows(rows + kHigh);
      multiply(meanwhile);
      loadRows(rows + kLow);
      multiply(meanwhile);
    }
    _tile_stored(0, c, bytes);
    _tile_stored(1, right, bytes);
    _tile_stored(2, below, bytes);
    _tile_stored(3, last, bytes);
  }

private:
  static constexpr unsigned kHigh = 0, kMiddle = 2 * kUnitTile, kLow = 4 * kUnitTile;
  static constexpr unsigned kRowBytes = kUnitInner * sizeof(Part);

  static void loadRows(const Part* rows) {
    _tile_loadd(4, rows, kRowBytes);
    _tile_loadd(5, rows + kUnitTile, kRowBytes);
  }
  static void loadColumns(const Part* columns) {
    _tile_loadd(6, columns, kRowBytes);
    _tile_loadd(7, columns + kUnitTile, kRowBytes);
  }
  template <class Meanwhile>
  static void multiply(const Meanwhile& meanwhile) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
    meanwhile();
  }
};

#else

inline bool hasMatrixUnit() {
  return false;
}

#endif

} // namespace spillway
