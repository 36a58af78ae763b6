// Casts to and from numbers of eight bits, whose format and scale are one more input.
#include <poplar/HalfFloat.hpp>
#include <poplar/Vertex.hpp>

#include <ipumodel/QuarterBits.hpp>

namespace popops {

using poplar::Input;
using poplar::MultiVertex;
using poplar::Output;
using poplar::Vector;

template <class T>
class CastToQuarter : public MultiVertex {
public:
  Input<Vector<T>> in;
  Output<Vector<unsigned char>> out;
  Input<unsigned char> metadata;

  void compute(unsigned worker) {
    for (unsigned i = worker; i < in.size(); i += MultiVertex::numWorkers())
      out[i] = ipumodel::toQuarter(static_cast<float>(in[i]), *metadata);
  }
  unsigned estimateCycles() const { return 6 * (20 + 3 * (in.size() / 6 + 1)); }
};

template <class T>
class CastFromQuarter : public MultiVertex {
public:
  Input<Vector<unsigned char>> in;
  Output<Vector<T>> out;
  Input<unsigned char> metadata;

  void compute(unsigned worker) {
    for (unsigned i = worker; i < in.size(); i += MultiVertex::numWorkers())
      out[i] = static_cast<T>(static_cast<float>(ipumodel::fromQuarter(in[i], *metadata)));
  }
  unsigned estimateCycles() const { return 6 * (20 + 3 * (in.size() / 6 + 1)); }
};

template class CastToQuarter<float>;
template class CastToQuarter<half>;
template class CastFromQuarter<float>;
template class CastFromQuarter<half>;

} // namespace popops
