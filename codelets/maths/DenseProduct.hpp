// The panels of a dense product with a weight matrix's rows: some rows of the weights turned round,
// [neuron][row], so that a loop over neurons multiplies whole registers (MatrixProduct.hpp).
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

constexpr unsigned kTurned = 8; // rows and columns that packPanel() turns round in registers

// to[c][r] = from[r][c] for kTurned rows and columns, but only for c < numColumns; r >= numRows
// repeats the last row. Each round zips the first half of the rows with the second; after three,
// rows are columns.
inline void turnRound(const float* from, unsigned long fromStride, float* to,
                      unsigned long toStride, unsigned numRows = kTurned,
                      unsigned numColumns = kTurned) {
  Row<kTurned> rows[kTurned];
#pragma clang loop unroll(full)
  for (unsigned r = 0; r < kTurned; ++r) {
    rows[r] = loadRow<kTurned>(from + (r < numRows ? r : numRows - 1) * fromStride);
  }
#pragma clang loop unroll(full)
  for (unsigned round = 0; round < 3; ++round) {
    Row<kTurned> zipped[kTurned];
#pragma clang loop unroll(full)
    for (unsigned r = 0; r < kTurned / 2; ++r) {
      const Row<kTurned> a = rows[r], b = rows[r + kTurned / 2];
      zipped[2 * r] = __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
      zipped[2 * r + 1] = __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    }
#pragma clang loop unroll(full)
    for (unsigned r = 0; r < kTurned; ++r) {
      rows[r] = zipped[r];
    }
  }
#pragma clang loop unroll(full)
  for (unsigned c = 0; c < kTurned; ++c) {
    if (c < numColumns) {
      storeRow<kTurned>(to + c * toStride, rows[c]);
    }
  }
}

// panel[n][w] = weights[w][n], and 0 for w >= count.
inline void packPanel(const float* weights, unsigned neurons, unsigned count, float* panel) {
  const unsigned whole = count == kPanelWidth ? neurons / kTurned * kTurned : 0;
  for (unsigned w = 0; w < kPanelWidth && whole != 0; w += kTurned) {
    const float* rows = weights + static_cast<unsigned long>(w) * neurons;
    for (unsigned n = 0; n < whole; n += kTurned) {
      turnRound(rows + n, neurons, panel + n * kPanelWidth + w, kPanelWidth);
    }
  }
  for (unsigned w = 0; w < kPanelWidth; ++w) {
    const float* row = weights + static_cast<unsigned long>(w) * neurons;
    for (unsigned n = whole; n < neurons; ++n) {
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

} // namespace spillway
