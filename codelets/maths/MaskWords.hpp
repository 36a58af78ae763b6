// Masks read a word at a time, and the ids of their bits.
#pragma once

namespace spillway {

using MaskWord = unsigned long long;

// The next eight bytes of a mask, or the `left` that it has, as one little-endian word.
inline MaskWord loadBits(const unsigned char* from, unsigned left) {
  MaskWord bits = 0;
  if (left >= sizeof bits) {
    __builtin_memcpy(&bits, from, sizeof bits);
    return bits;
  }
  for (unsigned byte = 0; byte < left; ++byte) {
    bits |= static_cast<MaskWord>(from[byte]) << (8 * byte);
  }
  return bits;
}

#ifdef __AVX512VBMI2__
typedef unsigned short HalfWords __attribute__((ext_vector_type(32)));
typedef short PackedHalfWords
    __attribute__((vector_size(64))); // as the compiler's functions say it

// Writes 32 half-words, of which the first are base plus the places of the set bits: no branch
// depends on them, and which bits are set is hard to predict. Returns how many those are.
inline unsigned storeSetBits(unsigned bits, unsigned base, unsigned short* to) {
  const HalfWords places = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                            16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
  const PackedHalfWords ids = (PackedHalfWords)(places + static_cast<unsigned short>(base));
  const PackedHalfWords set = __builtin_ia32_compresshi512_mask(ids, ids, bits);
  __builtin_memcpy(to, &set, sizeof set);
  return static_cast<unsigned>(__builtin_popcount(bits));
}
#endif

// Appends base plus the place of every set bit, ascending, to `size` ids, as far as there is room
// for `capacity`. What lies behind them there may change. Returns how many there are then.
template <class Id>
inline unsigned appendSetBits(MaskWord bits, unsigned base, Id* ids, unsigned size,
                              unsigned capacity) {
#ifdef __AVX512VBMI2__
  if constexpr (sizeof(Id) == sizeof(unsigned short)) {
    if (size + 64 <= capacity) {
      size += storeSetBits(static_cast<unsigned>(bits), base, ids + size);
      return size + storeSetBits(static_cast<unsigned>(bits >> 32), base + 32, ids + size);
    }
  }
#endif
  for (; bits != 0 && size < capacity; bits &= bits - 1) {
    ids[size++] = static_cast<Id>(base + __builtin_ctzll(bits));
  }
  return size;
}

} // namespace spillway
