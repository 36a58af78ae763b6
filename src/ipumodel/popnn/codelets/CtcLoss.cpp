// The loss of connectionist temporal classification of one sample, and its gradient.
#include "LogSum.hpp"

#include <poplar/Vertex.hpp>

#include <cstdint>

namespace popnn {

using poplar::InOut;
using poplar::Input;
using poplar::Output;
using poplar::Vector;

// The places of a path are the classes of the label with blanks before, between and after them. A
// path moves from a place to the next, or past a blank to another class.
template <class T, class Out>
class CtcLoss : public poplar::Vertex {
public:
  Input<Vector<T>> logProbs; // [steps][classes]
  Input<Vector<unsigned>> labels;
  Input<unsigned> dataLength, labelLength;
  Output<Out> loss;
  Output<Vector<Out>> gradient; // [steps][classes]
  InOut<Vector<float>> scratch;
  unsigned numClasses, blank;
  bool includeSoftmax;

  unsigned steps() const { return logProbs.size() / numClasses; }
  unsigned validSteps() const { return dataLength < steps() ? dataLength : steps(); }
  unsigned places() const {
    return 2 * (labelLength < labels.size() ? labelLength : labels.size()) + 1;
  }
  unsigned classAt(unsigned place) const { return place % 2 ? labels[place / 2] : blank; }
  bool skips(unsigned place) const { // from two places before
    return place >= 2 && place % 2 && classAt(place) != classAt(place - 2);
  }
  float logProb(unsigned step, unsigned place) const {
    return static_cast<float>(logProbs[step * numClasses + classAt(place)]);
  }

  bool compute() {
    const unsigned length = validSteps(), n = places();
    float* forward = &scratch[0];            // [steps][places], with the step itself
    float* backward = forward + steps() * n; // [2][places], without it
    float* row = backward + 2 * n;
    for (unsigned t = 0; t < length; ++t)
      for (unsigned s = 0; s < n; ++s) {
        float sum = t == 0 ? (s < 2 ? 0 : kLogZero) : forward[(t - 1) * n + s];
        if (t != 0 && s >= 1)
          sum = logSum(sum, forward[(t - 1) * n + s - 1]);
        if (t != 0 && skips(s))
          sum = logSum(sum, forward[(t - 1) * n + s - 2]);
        forward[t * n + s] = sum + logProb(t, s);
      }
    float total = n == 1 ? 0 : kLogZero; // of no step
    if (length != 0) {
      total = forward[(length - 1) * n + n - 1];
      if (n > 1)
        total = logSum(total, forward[(length - 1) * n + n - 2]);
    }
    *loss = static_cast<Out>(-total);

    for (unsigned step = steps(); step-- > 0;) {
      float* now = backward + step % 2 * n;
      const float* next = backward + (step + 1) % 2 * n;
      for (unsigned c = 0; c < numClasses; ++c)
        row[c] = step < length && includeSoftmax
                     ? std::exp(static_cast<float>(logProbs[step * numClasses + c]))
                     : 0;
      for (unsigned s = 0; step < length && s < n; ++s) {
        now[s] = step + 1 == length ? (s + 2 >= n ? 0 : kLogZero) : next[s] + logProb(step + 1, s);
        if (step + 1 != length && s + 1 < n)
          now[s] = logSum(now[s], next[s + 1] + logProb(step + 1, s + 1));
        if (step + 1 != length && s + 2 < n && skips(s + 2))
          now[s] = logSum(now[s], next[s + 2] + logProb(step + 1, s + 2));
        if (total != kLogZero)
          row[classAt(s)] -= std::exp(forward[step * n + s] + now[s] - total);
      }
      for (unsigned c = 0; c < numClasses; ++c)
        gradient[step * numClasses + c] = static_cast<Out>(row[c]);
    }
    return true;
  }
  // Four logarithms of sums and an exponential for each place and step, about 20 cycles each; an
  // exponential and a store for each class and step.
  std::uint64_t estimateCycles() const {
    return 60 + std::uint64_t{validSteps()} * (100 * places() + 10 * numClasses);
  }
};
template class CtcLoss<float, float>;
template class CtcLoss<half, half>;
template class CtcLoss<half, float>;

} // namespace popnn
