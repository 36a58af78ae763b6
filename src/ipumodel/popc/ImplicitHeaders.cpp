#include "popc/ImplicitHeaders.hpp"

#include <array>
#include <regex>
#include <string_view>

namespace ipumodel::popc {
namespace {

struct Declared {
  std::string_view header, names; // names between blanks
};

// The C++ library of the tile's compiler includes more of itself than this one's does: strings with
// <utility>, limits with <cmath>. Only what codelets can use stands here.
constexpr std::array<Declared, 11> kLibrary = {{
    {"cstring",
     " memchr memcmp memcpy memmove memset strcat strchr strcmp strcpy strlen strncmp strncpy "},
    {"cmath",
     " acos acosf asin asinf atan atan2 atan2f atanf cbrt cbrtf ceil ceilf copysign copysignf cos "
     "cosf cosh coshf erf erff exp exp2 exp2f expf expm1 expm1f fabs fabsf floor floorf fma fmaf "
     "fmax fmaxf fmin fminf fmod fmodf hypot hypotf isfinite isinf isnan log log10 log10f log1p "
     "log1pf log2 log2f logf lround lroundf pow powf rint rintf round roundf signbit sin sinf sinh "
     "sinhf sqrt sqrtf tan tanf tanh tanhf trunc truncf "},
    {"algorithm",
     " all_of any_of clamp copy copy_n count count_if equal fill fill_n find find_if for_each "
     "generate lower_bound max max_element min min_element minmax nth_element partial_sort "
     "partition remove_if reverse rotate sort stable_sort swap_ranges transform unique "
     "upper_bound "},
    {"numeric", " accumulate gcd inner_product iota lcm partial_sum "},
    {"limits", " numeric_limits "},
    {"array", " array "},
    {"utility", " declval exchange forward index_sequence make_index_sequence make_pair move pair "
                "swap "},
    {"tuple", " get make_tuple tie tuple tuple_size "},
    {"iterator", " back_inserter begin data distance end next prev rbegin rend size "},
    {"cstdio", " printf putchar puts snprintf "},
    {"cstdlib", " abort abs atoi div labs qsort rand srand "},
}};

std::optional<std::string> libraryHeaderFor(const std::string& name) {
  for (const Declared& declared : kLibrary)
    if (declared.names.find(' ' + name + ' ') != std::string_view::npos)
      return std::string(declared.header);
  return std::nullopt;
}

} // namespace

std::optional<std::string> headerFor(const std::string& messages) {
  // Codelets written for hardware use short vectors and built-in functions without including
  // anything, because there the compiler knows them. They stay undeclared otherwise, since codelets
  // written for a model may declare their own.
  static const std::regex builtin(R"('__builtin_ipu_\w+')");
  static const std::regex type(
      R"('(((half|u?char|u?short|u?int|float|long|longlong)[248])|rptsize_t)')");
  static const std::regex missed(
      "(?:use of undeclared identifier|no member named|no template named|unknown type name|"
      "undefined template|incomplete type) '(?:std::)?(\\w+)");
  if (std::regex_search(messages, builtin))
    return "ipu_builtins.h";
  if (std::regex_search(messages, type))
    return "ipudef.h";
  for (std::sregex_iterator m(messages.begin(), messages.end(), missed), end; m != end; ++m)
    if (auto header = libraryHeaderFor((*m)[1]))
      return header;
  return std::nullopt;
}

} // namespace ipumodel::popc
