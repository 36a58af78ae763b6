// Short rows of floats held in registers: the arithmetic of all weight-row products.
//
// A tile's n neurons are cut into blocks of power-of-two width, widest first, and a loop over
// spikes runs inside each block, so that the running sum never leaves the registers.
#pragma once

namespace spillway {

template <unsigned W>
using Row = float __attribute__((ext_vector_type(W)));
template <unsigned W>
using RowMask = int __attribute__((ext_vector_type(W))); // -1 where true, 0 elsewhere

// Eight registers on the host: an addition takes four cycles to finish and two begin in each, so
// fewer running sums would wait for one another. The tile's vector unit takes float2. (popc answers
// #if and #elif before it knows the processor, and #ifdef after.)
#ifdef __IPU__
constexpr unsigned kWidestRow = 2;
#else
#ifdef __AVX512F__
constexpr unsigned kWidestRow = 128;
#else
constexpr unsigned kWidestRow = 64;
#endif
#endif

// Rows of an odd number of neurons start at any float.
template <unsigned W>
struct __attribute__((packed, aligned(4))) UnalignedRow {
  Row<W> value;
};

template <unsigned W>
inline Row<W> loadRow(const float* from) {
  return reinterpret_cast<const UnalignedRow<W>*>(from)->value;
}

template <unsigned W>
inline void storeRow(float* to, Row<W> row) {
  reinterpret_cast<UnalignedRow<W>*>(to)->value = row;
}

// Asks memory for a row that will be wanted soon; the host's own guesses stop at a page's end.
template <unsigned W>
inline void fetchAhead(const float* from) {
#ifndef __IPU__
  for (unsigned i = 0; i < W; i += 16) {
    __builtin_prefetch(from + i);
  }
#endif
}

// The same of `size` floats that will be written soon.
inline void fetchToWrite(const float* to, unsigned size) {
#ifndef __IPU__
  for (unsigned i = 0; i < size; i += 16) {
    __builtin_prefetch(to + i, 1);
  }
#endif
}

// Sum by halves: a fixed order, whatever the machine.
template <unsigned W>
inline float sumRow(Row<W> row) {
  if constexpr (W == 1) {
    return row[0];
  } else {
    return sumRow<W / 2>(row.lo + row.hi);
  }
}

// Bit i is set where lane i is true; eight lanes.
inline unsigned maskBitsOfEight(RowMask<8> mask) {
#ifdef __AVX__
  return static_cast<unsigned>(
      __builtin_ia32_movmskps256((__attribute__((vector_size(32))) float)mask));
#else
  const RowMask<8> weights = {1, 2, 4, 8, 16, 32, 64, 128};
  const RowMask<8> bits = mask & weights;
  const RowMask<4> four = bits.lo | bits.hi;
  const RowMask<2> two = four.lo | four.hi;
  return static_cast<unsigned>(two.x | two.y);
#endif
}

// REQUIRES: W <= 64.
template <unsigned W>
inline unsigned long long maskBits(RowMask<W> mask) {
  if constexpr (W > 8) {
    return maskBits<W / 2>(mask.lo) | (maskBits<W / 2>(mask.hi) << (W / 2));
  } else if constexpr (W == 8) {
    return maskBitsOfEight(mask);
  } else {
    unsigned bits = 0;
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < W; ++i) {
      bits |= static_cast<unsigned>(mask[i] & 1) << i;
    }
    return bits;
  }
}

#ifdef __AVX512DQ__
constexpr unsigned kStoredBits = 16; // of a comparison's mask register, without a detour

template <unsigned W>
inline void storeBits(unsigned char* to, RowMask<W> set) {
  if constexpr (W > kStoredBits) {
    storeBits<W / 2>(to, set.lo);
    storeBits<W / 2>(to + W / 16, set.hi);
  } else {
    const unsigned short bits =
        __builtin_ia32_cvtd2mask512((__attribute__((vector_size(64))) int)set);
    __builtin_memcpy(to, &bits, sizeof bits);
  }
}
#else
constexpr unsigned kStoredBits = ~0u;
template <unsigned W>
inline void storeBits(unsigned char*, RowMask<W>) {}
#endif

// Sets the bits of neurons first .. first+W-1 of a mask. Blocks come in ascending order, so the
// first to touch a byte sets it and the others add.
template <unsigned W>
inline void putBits(unsigned char* mask, unsigned first, RowMask<W> set) {
  if constexpr (W >= kStoredBits) {
    storeBits<W>(mask + first / 8, set);
  } else if constexpr (W > 64) {
    putBits<W / 2>(mask, first, set.lo);
    putBits<W / 2>(mask, first + W / 2, set.hi);
  } else if constexpr (W >= 8) {
    const unsigned long long bits = maskBits<W>(set);
    for (unsigned byte = 0; byte < W / 8; ++byte) {
      mask[first / 8 + byte] = static_cast<unsigned char>(bits >> (8 * byte));
    }
  } else {
    const unsigned char shifted = static_cast<unsigned char>(maskBits<W>(set) << (first % 8));
    mask[first / 8] =
        static_cast<unsigned char>(first % 8 == 0 ? shifted : mask[first / 8] | shifted);
  }
}

template <unsigned W>
struct RowWidth {
  static constexpr unsigned value = W;
};

// Calls f(RowWidth<W>{}, firstNeuron) for blocks that cover 0 .. numNeurons-1.
template <unsigned W = kWidestRow, class F>
inline void forEachRowBlock(unsigned numNeurons, const F& f, unsigned first = 0) {
  for (; first + W <= numNeurons; first += W) {
    f(RowWidth<W>{}, first);
  }
  if constexpr (W > 1) {
    if (first < numNeurons) {
      forEachRowBlock<W / 2>(numNeurons, f, first);
    }
  }
}

// to = factor * from. The factor is a value, not a vertex field, which a store of floats might
// change.
inline void scaleRow(const float* from, float factor, float* to, unsigned numNeurons) {
  forEachRowBlock(numNeurons, [&](auto blockWidth, unsigned first) {
    constexpr unsigned W = decltype(blockWidth)::value;
    storeRow<W>(to + first, factor * loadRow<W>(from + first));
  });
}

// row = first * row and to = second * row, in one pass.
inline void scaleRowTwice(float* row, float first, float second, float* to, unsigned numNeurons) {
  forEachRowBlock(numNeurons, [&](auto blockWidth, unsigned at) {
    constexpr unsigned W = decltype(blockWidth)::value;
    const Row<W> scaled = first * loadRow<W>(row + at);
    storeRow<W>(row + at, scaled);
    storeRow<W>(to + at, second * scaled);
  });
}

} // namespace spillway
