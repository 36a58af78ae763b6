// Dense matrix products, blocked for registers and the first-level cache: C = A B or C += A B, any
// of A and B turned round. Every element sums over the inner dimension in ascending order.
#pragma once

#include "maths/DenseProduct.hpp"

namespace spillway {

// Element (row, column) lies at at[row * rowStride + column * columnStride].
struct MatrixView {
  const float* at;
  unsigned long rowStride, columnStride;
};

struct ProductShape {
  unsigned rows, inner, columns;
};

enum class ProductSum { Start, Add };

// panel[k][w] = b(k, w), and 0 for w >= count.
inline void packView(MatrixView b, unsigned inner, unsigned count, float* panel) {
  for (unsigned k = 0; k < inner; ++k) {
    for (unsigned w = 0; w < kPanelWidth; ++w) {
      panel[k * kPanelWidth + w] = w < count ? b.at[k * b.rowStride + w * b.columnStride] : 0.0f;
    }
  }
}

// M rows of a times the panel, to M rows of c. Loops over rows are unrolled, or the sums would not
// stay in registers; the one over the inner dimension is not, or the loads of several rounds would
// push them out. (a by reference: a copy of it on the stack would be read wider than written, which
// waits.)
template <unsigned M, ProductSum sum>
inline void multiplyView(const MatrixView& a, const float* panel, unsigned inner, unsigned count,
                         float* c, unsigned long stride) {
#pragma clang fp contract(fast)
  Row<kPanelWidth> sums[M];
#pragma clang loop unroll(full)
  for (unsigned m = 0; m < M; ++m) {
    sums[m] = Row<kPanelWidth>(0.0f);
    if constexpr (sum == ProductSum::Add) {
      if (count == kPanelWidth) {
        sums[m] = loadRow<kPanelWidth>(c + m * stride);
      } else {
        for (unsigned w = 0; w < count; ++w) {
          sums[m][w] = c[m * stride + w];
        }
      }
    }
  }
  unsigned long at = 0;
#pragma clang loop unroll(disable)
  for (unsigned k = 0; k < inner; ++k, at += a.columnStride) {
    const Row<kPanelWidth> row = loadRow<kPanelWidth>(panel + k * kPanelWidth);
#pragma clang loop unroll(full)
    for (unsigned m = 0; m < M; ++m) {
      sums[m] += Row<kPanelWidth>(a.at[m * a.rowStride + at]) * row;
    }
  }
#pragma clang loop unroll(full)
  for (unsigned m = 0; m < M; ++m) {
    storePanelRow(c + m * stride, sums[m], count);
  }
}

struct NothingMeanwhile {
  void operator()() const {}
};

// meanwhile() is called for every kPanelRows rows.
template <ProductSum sum, class Meanwhile = NothingMeanwhile>
inline void multiplyRowsBy(MatrixView a, unsigned rows, const float* panel, unsigned inner,
                           unsigned count, float* c, unsigned long stride,
                           const Meanwhile& meanwhile = {}) {
  const auto from = [&](unsigned m) {
    return MatrixView{a.at + m * a.rowStride, a.rowStride, a.columnStride};
  };
  unsigned m = 0;
  for (; m + kPanelRows <= rows; m += kPanelRows) {
    meanwhile();
    multiplyView<kPanelRows, sum>(from(m), panel, inner, count, c + m * stride, stride);
  }
  for (; m + kTailRows <= rows; m += kTailRows) {
    multiplyView<kTailRows, sum>(from(m), panel, inner, count, c + m * stride, stride);
  }
  for (; m < rows; ++m) {
    multiplyView<1, sum>(from(m), panel, inner, count, c + m * stride, stride);
  }
}

// c: row-major. scratch: kProductScratch floats.
inline void multiplyMatrices(MatrixView a, MatrixView b, ProductShape shape, ProductSum sum,
                             float* c, unsigned long stride, float* scratch) {
  for (unsigned k = 0; k < shape.inner; k += kInnerBlock) {
    const unsigned inner = shape.inner - k < kInnerBlock ? shape.inner - k : kInnerBlock;
    const MatrixView left{a.at + k * a.columnStride, a.rowStride, a.columnStride};
    for (unsigned j = 0; j < shape.columns; j += kPanelWidth) {
      const unsigned count = shape.columns - j < kPanelWidth ? shape.columns - j : kPanelWidth;
      packView({b.at + k * b.rowStride + j * b.columnStride, b.rowStride, b.columnStride}, inner,
               count, scratch);
      if (sum == ProductSum::Start && k == 0) {
        multiplyRowsBy<ProductSum::Start>(left, shape.rows, scratch, inner, count, c + j, stride);
      } else {
        multiplyRowsBy<ProductSum::Add>(left, shape.rows, scratch, inner, count, c + j, stride);
      }
    }
  }
}

} // namespace spillway
