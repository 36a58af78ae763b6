// Copies runs of rows to other places; each vertex has some columns of all rows.
#include <poplar/Vertex.hpp>

#include <cstdint>

namespace popops {

using poplar::InOut;
using poplar::Input;
using poplar::Vector;

template <class T>
class SequenceSlice : public poplar::Vertex {
public:
  Input<Vector<T>> in;
  InOut<Vector<T>> out;
  Input<Vector<unsigned>> counts, inOffsets, outOffsets;
  unsigned columns;
  bool zeroUnused;

  bool compute() {
    const unsigned inRows = in.size() / columns, outRows = out.size() / columns;
    if (zeroUnused)
      for (unsigned i = 0; i < out.size(); ++i)
        out[i] = T(0);
    for (unsigned i = 0; i < counts.size(); ++i)
      for (unsigned row = 0; row < counts[i]; ++row) {
        const unsigned from = inOffsets[i] + row, to = outOffsets[i] + row;
        if (from >= inRows || to >= outRows)
          break;
        for (unsigned c = 0; c < columns; ++c)
          out[to * columns + c] = in[from * columns + c];
      }
    return true;
  }
  // Some cycles for each run and row, and a load and a store for each 64 bits.
  std::uint64_t estimateCycles() const {
    const std::uint64_t perRow = (std::uint64_t(columns) * sizeof(T) + 7) / 8;
    std::uint64_t cycles = 20 + (zeroUnused ? (std::uint64_t(out.size()) * sizeof(T) + 7) / 8 : 0);
    for (unsigned i = 0; i < counts.size(); ++i)
      cycles += 12 + counts[i] * (8 + 2 * perRow);
    return cycles;
  }
};
template class SequenceSlice<float>;
template class SequenceSlice<half>;
template class SequenceSlice<int>;
template class SequenceSlice<unsigned>;
template class SequenceSlice<bool>;
template class SequenceSlice<char>;
template class SequenceSlice<unsigned char>;
template class SequenceSlice<signed char>;

} // namespace popops
