// Rounds a double to a half in codelets. On x86 clang calls __truncdfhf2 for it and expects the
// bits in ax, or from version 15 on in xmm0; the function of GCC 12's library leaves them in xmm0
// only. This one leaves them in both.
#ifndef ipumodel_DoubleToHalf_hpp
#define ipumodel_DoubleToHalf_hpp

#ifdef __x86_64__

#include <poplar/HalfFloat.hpp>

extern "C" __attribute__((weak, visibility("hidden"), used)) unsigned short
ipumodel_double_to_half(double value) {
  const float nearest = static_cast<float>(value);
  unsigned bits;
  __builtin_memcpy(&bits, &nearest, sizeof bits);
  // Towards the odd one of the two floats around it, so that rounding once more gives what rounding
  // once would have given.
  const double back = static_cast<double>(nearest);
  if (back != value && value == value) {
    if (__builtin_fabs(back) > __builtin_fabs(value))
      --bits;
    bits |= 1;
  }
  float odd;
  __builtin_memcpy(&odd, &bits, sizeof odd);
  const half rounded = static_cast<half>(odd);
  unsigned short result;
  __builtin_memcpy(&result, &rounded, sizeof result);
  return result;
}

__asm__(".pushsection .text.ipumodel_truncdfhf2,\"ax\",@progbits\n"
        ".weak __truncdfhf2\n"
        ".hidden __truncdfhf2\n"
        ".type __truncdfhf2,@function\n"
        "__truncdfhf2:\n"
        "  subq $8, %rsp\n"
        "  call ipumodel_double_to_half\n"
        "  addq $8, %rsp\n"
        "  movd %eax, %xmm0\n"
        "  ret\n"
        ".popsection\n");

#endif

#endif
