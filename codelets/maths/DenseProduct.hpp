// A dense product with a weight matrix's rows, blocked for registers: out[m][i] = row(m) .
// weights[i].
//
// Some rows of the weights are turned into a panel [neuron][row], so that a loop over neurons
// multiplies whole registers; several rows of the factor share each of its loads. Every output sums
// over neurons in ascending order, however the rows are cut into blocks.
#pragma once

#include "maths/Panel.hpp"
#include "maths/Rows.hpp"

namespace spillway {

// Two registers of columns times as many rows of the factor as leave the sums in registers.
#ifdef __AVX512F__
constexpr unsigned kPanelWidth = 32, kPanelRows = 12;
#else
constexpr unsigned kPanelWidth = 16, kPanelRows = 6;
#endif
constexpr unsigned kTailRows = 4;
static_assert(kPanelWidth <= kMostPanelWidth);

// panel[n][w] = weights[w][n], and 0 for w >= count.
inline void packPanel(const float* weights, unsigned neurons, unsigned count, float* panel) {
  for (unsigned w = 0; w < kPanelWidth; ++w) {
    const float* row = weights + static_cast<unsigned long>(w) * neurons;
    for (unsigned n = 0; n < neurons; ++n) {
      panel[n * kPanelWidth + w] = w < count ? row[n] : 0.0f;
    }
  }
}

inline void storePanelRow(float* to, Row<kPanelWidth> values, unsigned count) {
  if (count == kPanelWidth) {
    storeRow<kPanelWidth>(to, values);
  } else {
    for (unsigned w = 0; w < count; ++w) {
      to[w] = values[w];
    }
  }
}

// rowOf(m) and outputOf(m) give where row m of the factor and of the output begins. All loops over
// m are unrolled, or the sums would not stay in registers.
template <unsigned M, class RowOf, class OutputOf>
inline void multiplyPanel(const float* panel, unsigned neurons, unsigned count, unsigned first,
                          const RowOf& rowOf, const OutputOf& outputOf) {
#pragma clang fp contract(fast)
  const float* rows[M];
  Row<kPanelWidth> sums[M];
#pragma clang loop unroll(full)
  for (unsigned m = 0; m < M; ++m) {
    rows[m] = rowOf(first + m);
    sums[m] = Row<kPanelWidth>(0.0f);
  }
  for (unsigned n = 0; n < neurons; ++n) {
    const Row<kPanelWidth> column = loadRow<kPanelWidth>(panel + n * kPanelWidth);
#pragma clang loop unroll(full)
    for (unsigned m = 0; m < M; ++m) {
      sums[m] += Row<kPanelWidth>(rows[m][n]) * column;
    }
  }
#pragma clang loop unroll(full)
  for (unsigned m = 0; m < M; ++m) {
    storePanelRow(outputOf(first + m), sums[m], count);
  }
}

} // namespace spillway
