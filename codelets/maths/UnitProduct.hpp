// A matrix product on the host's matrix unit, cut into pieces whose parts stay in the caches.
#pragma once

#include "maths/MatrixUnit.hpp"

#ifdef SPILLWAY_MATRIX_UNIT

namespace spillway {

// c = or c += a times the transpose of weights, which has a row for each column of c. Row r of the
// product is row place(r) of a and of c, so that rows need not follow one another. Lies on the
// stack: the parts of 32 rows in the nearest cache, those of 128 columns in the next.
template <class PlaceOf>
class UnitProduct {
public:
  UnitProduct(ProductShape shape, const PlaceOf& place, float* c, unsigned long stride)
      : shape_(shape), place_(place), c_(c), stride_(stride) {}

  // Rows of a and of weights are as long as the inner dimension.
  void multiply(const float* a, const float* weights, ProductSum sum) {
    for (unsigned k = 0; k < shape_.inner; k += kInner) {
      const unsigned inner = least(shape_.inner - k, kInner);
      for (unsigned w = 0; w < shape_.columns; w += kColumns) {
        const unsigned columns = least(shape_.columns - w, kColumns);
        packColumns(weights + static_cast<unsigned long>(w) * shape_.inner + k, inner, columns);
        sum == ProductSum::Start&& k == 0
            ? multiplyBlocks<ProductSum::Start>(a + k, w, columns, inner)
            : multiplyBlocks<ProductSum::Add>(a + k, w, columns, inner);
      }
    }
  }

private:
  static constexpr unsigned kPacks = 4, kBlocks = 4;
  static constexpr unsigned kInner = kPacks * kUnitInner, kColumns = kBlocks * kUnitBlock;

  static unsigned least(unsigned left, unsigned most) { return left < most ? left : most; }

  void packColumns(const float* weights, unsigned inner, unsigned columns) {
    for (unsigned w = 0; w < columns; w += kUnitBlock) {
      packUnitColumns(weights + static_cast<unsigned long>(w) * shape_.inner, shape_.inner, inner,
                      least(columns - w, kUnitBlock),
                      columns_ + w / kUnitBlock * kPacks * kUnitPack);
    }
  }

  // Packs the rows of a block piece by piece, while the unit is busy with those of the block
  // before: an eighth of the time is saved.
  struct RowPacker {
    const UnitProduct* product;
    const float* a;
    unsigned first, rows; // of the block
    unsigned inner;
    Part* packs;
    unsigned r = 0, k = 0;

    bool done() const { return r == kUnitBlock; }
    void packSome() {
      const bool there = r < rows;
      const float* from = there ? a + product->place_(first + r) * product->shape_.inner + k : a;
      splitSomeOfRow(from, there ? inner - k : 0, packs + k / kUnitInner * kUnitPack + unitRow(r),
                     2 * kUnitTile);
      k += kUnitInner;
      if (k >= inner) {
        k = 0;
        ++r;
      }
    }
  };

  RowPacker packerOf(const float* a, unsigned first, unsigned inner) {
    const unsigned rows = first < shape_.rows ? least(shape_.rows - first, kUnitBlock) : 0;
    RowPacker packer{this, a, first, rows, inner, rows_[first / kUnitBlock % 2]};
    packer.r = rows == 0 ? kUnitBlock : 0; // there is no such block
    return packer;
  }

  template <ProductSum sum>
  void multiplyBlocks(const float* a, unsigned w, unsigned columns, unsigned inner) {
    RowPacker packer = packerOf(a, 0, inner);
    for (unsigned first = 0; first < shape_.rows; first += kUnitBlock) {
      while (!packer.done()) {
        packer.packSome();
      }
      packer = packerOf(a, first + kUnitBlock, inner);
      const auto meanwhile = [&] {
        for (unsigned i = 0; i < 2 && !packer.done(); ++i) {
          packer.packSome();
        }
      };
      const unsigned packs = (inner + kUnitInner - 1) / kUnitInner;
      for (unsigned j = 0; j < columns; j += kUnitBlock) {
        const ProductShape block{least(shape_.rows - first, kUnitBlock), packs,
                                 least(columns - j, kUnitBlock)};
        multiplyBlock<sum>(first, block, columns_ + j / kUnitBlock * kPacks * kUnitPack, c_ + w + j,
                           meanwhile);
      }
    }
  }

  // block: its inner dimension in packs. Where c has no whole block in one place, one that is
  // passes between.
  template <ProductSum sum, class Meanwhile>
  void multiplyBlock(unsigned first, ProductShape block, const Part* factor, float* c,
                     const Meanwhile& meanwhile) {
    const Part* rows = rows_[first / kUnitBlock % 2];
    const unsigned long begin = place_(first), end = place_(first + block.rows - 1);
    if (block.rows == kUnitBlock && block.columns == kUnitBlock && end - begin + 1 == kUnitBlock) {
      unit_.multiply<sum>(rows, factor, block.inner, c + begin * stride_, stride_, meanwhile);
      return;
    }
    const auto forEachElement = [&](const auto& f) {
      for (unsigned r = 0; r < block.rows; ++r) {
        float* row = c + place_(first + r) * stride_;
        for (unsigned w = 0; w < block.columns; ++w) {
          f(row[w], between_[r * kUnitBlock + w]);
        }
      }
    };
    if constexpr (sum == ProductSum::Add) {
      forEachElement([](float there, float& here) { here = there; });
    }
    unit_.multiply<sum>(rows, factor, block.inner, between_, kUnitBlock, meanwhile);
    forEachElement([](float& there, float here) { there = here; });
  }

  ProductShape shape_;
  const PlaceOf& place_;
  float* c_;
  unsigned long stride_;
  MatrixUnit unit_;
  alignas(64) Part rows_[2][kPacks * kUnitPack];           // of this block and the next
  alignas(64) Part columns_[kBlocks * kPacks * kUnitPack]; // [block][pack]
  alignas(64) float between_[kUnitBlock * kUnitBlock];
};

} // namespace spillway

#endif
