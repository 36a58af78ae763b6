// The likeliest labels of one sample, by a search over prefixes.
#include "CtcBeamScratch.hpp"
#include "LogSum.hpp"

#include <poplar/Vertex.hpp>

#include <cstdint>

namespace popnn {

using poplar::InOut;
using poplar::Input;
using poplar::Output;
using poplar::Vector;

constexpr unsigned kNone = ~0u;

// Prefixes form a tree, so that the same label is always the same prefix. A beam is a prefix with
// the probabilities of its paths that end in a blank and in its last class.
template <class T>
class CtcBeamSearch : public poplar::Vertex {
public:
  Input<Vector<T>> logProbs; // [steps][classes]
  Input<unsigned> dataLength;
  Output<Vector<T>> labelProbs;
  Output<Vector<unsigned>> labelLengths;
  Output<Vector<unsigned>> labels; // [paths][steps]
  InOut<Vector<float>> floats;
  InOut<Vector<unsigned>> numbers;
  unsigned numClasses, blank, beamwidth;

  unsigned steps() const { return logProbs.size() / numClasses; }
  unsigned validSteps() const { return dataLength < steps() ? dataLength : steps(); }
  // Side 0 of a beam is before a step, side 1 after it.
  float& inBlank(unsigned side, unsigned i) { return floats[side * beamwidth + i]; }
  float& inClass(unsigned side, unsigned i) { return floats[(2 + side) * beamwidth + i]; }
  float total(unsigned side, unsigned i) { return logSum(inBlank(side, i), inClass(side, i)); }
  float& score(unsigned i) { return floats[4 * beamwidth + i]; }
  float& chosenInClass(unsigned i) { return floats[5 * beamwidth + i]; }
  unsigned& prefix(unsigned side, unsigned i) { return numbers[side * beamwidth + i]; }
  unsigned& chosenBeam(unsigned i) { return numbers[2 * beamwidth + i]; }
  unsigned& chosenClass(unsigned i) { return numbers[3 * beamwidth + i]; } // kNone: as it was
  unsigned* node(unsigned p) { return &numbers[kBeamNumbers * beamwidth + kPrefixNumbers * p]; }
  unsigned& parent(unsigned p) { return node(p)[0]; }
  unsigned& lastClass(unsigned p) { return node(p)[1]; }
  unsigned& firstChild(unsigned p) { return node(p)[2]; }
  unsigned& nextChild(unsigned p) { return node(p)[3]; }

  unsigned extended(unsigned p, unsigned c, unsigned& numPrefixes) {
    for (unsigned child = firstChild(p); child != kNone; child = nextChild(child))
      if (lastClass(child) == c)
        return child;
    const unsigned added = numPrefixes++;
    parent(added) = p;
    lastClass(added) = c;
    firstChild(added) = kNone;
    nextChild(added) = firstChild(p);
    return firstChild(p) = added;
  }

  // Into the list of the best, unless it is full of better ones. Gives its length.
  unsigned choose(unsigned numChosen, float value, float classValue, unsigned beam, unsigned c) {
    unsigned at = numChosen;
    while (at > 0 && score(at - 1) < value)
      --at;
    if (at == beamwidth || value == kLogZero)
      return numChosen;
    const unsigned length = numChosen < beamwidth ? numChosen + 1 : beamwidth;
    for (unsigned i = length - 1; i > at; --i) {
      score(i) = score(i - 1);
      chosenInClass(i) = chosenInClass(i - 1);
      chosenBeam(i) = chosenBeam(i - 1);
      chosenClass(i) = chosenClass(i - 1);
    }
    score(at) = value;
    chosenInClass(at) = classValue;
    chosenBeam(at) = beam;
    chosenClass(at) = c;
    return length;
  }

  // One step for `count` beams on side 0; gives how many there are then.
  unsigned advance(const T* probs, unsigned count, unsigned& numPrefixes) {
    for (unsigned i = 0; i < count; ++i) {
      const unsigned p = prefix(0, i);
      inBlank(1, i) = total(0, i) + static_cast<float>(probs[blank]);
      inClass(1, i) = p == 0 ? kLogZero : inClass(0, i) + static_cast<float>(probs[lastClass(p)]);
    }
    unsigned numChosen = 0;
    for (unsigned i = 0; i < count; ++i) // extensions: of beams that are kept too, or new ones
      for (unsigned c = 0; c < numClasses; ++c) {
        if (c == blank)
          continue;
        const unsigned p = prefix(0, i);
        const float before = p != 0 && lastClass(p) == c ? inBlank(0, i) : total(0, i);
        const float value = before + static_cast<float>(probs[c]);
        unsigned same = 0;
        while (same < count && (parent(prefix(0, same)) != p || lastClass(prefix(0, same)) != c))
          ++same;
        if (same < count)
          inClass(1, same) = logSum(inClass(1, same), value);
        else
          numChosen = choose(numChosen, value, value, i, c);
      }
    for (unsigned i = 0; i < count; ++i)
      numChosen = choose(numChosen, total(1, i), inClass(1, i), i, kNone);
    for (unsigned i = 0; i < numChosen; ++i) {
      const unsigned from = chosenBeam(i);
      const bool kept = chosenClass(i) == kNone;
      prefix(1, i) =
          kept ? prefix(0, from) : extended(prefix(0, from), chosenClass(i), numPrefixes);
      inBlank(0, i) = kept ? inBlank(1, from) : kLogZero;
      inClass(0, i) = chosenInClass(i);
    }
    for (unsigned i = 0; i < numChosen; ++i)
      prefix(0, i) = prefix(1, i);
    return numChosen;
  }

  bool compute() {
    unsigned numPrefixes = 1, count = 1;
    parent(0) = lastClass(0) = firstChild(0) = kNone; // the empty prefix
    prefix(0, 0) = 0;
    inBlank(0, 0) = 0;
    inClass(0, 0) = kLogZero;
    for (unsigned t = 0; t < validSteps(); ++t)
      count = advance(&logProbs[t * numClasses], count, numPrefixes);
    for (unsigned path = 0; path < labelProbs.size(); ++path) {
      const unsigned last = path < count ? prefix(0, path) : 0;
      labelProbs[path] = static_cast<T>(path < count ? total(0, path) : kLogZero);
      unsigned length = 0;
      for (unsigned p = last; p != 0; p = parent(p))
        ++length;
      labelLengths[path] = length;
      for (unsigned i = 0; i < steps(); ++i)
        labels[path * steps() + i] = 0;
      for (unsigned p = last; p != 0; p = parent(p))
        labels[path * steps() + --length] = lastClass(p);
    }
    return true;
  }
  // For each step, beam and class a sum of about 20 cycles, and a look at each other beam.
  std::uint64_t estimateCycles() const {
    return 60 + std::uint64_t{validSteps()} * beamwidth * numClasses * (20 + 4 * beamwidth);
  }
};
template class CtcBeamSearch<float>;
template class CtcBeamSearch<half>;

} // namespace popnn
