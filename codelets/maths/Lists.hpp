// Lists of active ids, as they lie in memory and travel between tiles.
//
// The list of one sample at one step is `width` words: the number of spikes n0, the number of ids
// n1 >= n0 (the rest take part in the gradient only), then the ids: spikes ascending, then the
// others ascending. A slab holds the lists of a block of steps: [sample][row][width]. Row j of the
// slab that a unit reads belongs to history index firstStep + j; index i of a layer's history holds
// the spikes of step i - 1 (index 0 is empty), index i of the input's history the events of step i.
//
// Where events carry a value, room for `capacity` ids is followed by the values of the first n0, as
// floats.
#pragma once

namespace spillway {

constexpr unsigned kListHeader = 2; // n0, n1

// The first word of the values: even, so that floats lie on whole words.
constexpr unsigned valuesBegin(unsigned capacity) {
  return kListHeader + (capacity + 1) / 2 * 2;
}

// Words of a list. wordBytes: of an id.
constexpr unsigned listWords(unsigned capacity, bool valued, unsigned wordBytes) {
  return valued ? valuesBegin(capacity) + capacity * (4 / wordBytes) : kListHeader + capacity;
}

// On their way to and from Streaming Memory, lists that are much longer so are masks: n0, n1, a bit
// for every id that spikes and, unless spikes alone are listed, one for every other.
constexpr unsigned maskWords(unsigned size, unsigned wordBytes) {
  return (size + 8 * wordBytes - 1) / (8 * wordBytes);
}
constexpr unsigned packedWords(unsigned size, bool spikesOnly, unsigned wordBytes) {
  return kListHeader + (spikesOnly ? 1 : 2) * maskWords(size, wordBytes);
}

// Making masks and lists of them takes a host as long as moving about 250 bytes there and back, so
// few bytes less are not worth it.
constexpr bool travelsAsMask(unsigned listWords, unsigned packedWords) {
  return 4 * packedWords <= listWords;
}

typedef float __attribute__((may_alias)) ListValue; // floats among words of another type

// In the place of a capacity: values stand right behind the ids that a list has.
constexpr unsigned kValuesFollow = 0;

template <class Id>
struct List {
  const Id* words;
  unsigned numSpikes() const { return words[0]; }
  unsigned numActive() const { return words[1]; }
  const Id* ids() const { return words + kListHeader; }
  const ListValue* values(unsigned capacity) const {
    const unsigned room = capacity != kValuesFollow ? capacity : numActive();
    return reinterpret_cast<const ListValue*>(words + valuesBegin(room));
  }
};

struct SlabShape {
  unsigned rows;  // per sample
  unsigned width; // words per list
  unsigned long at(unsigned sample, unsigned row) const {
    return (static_cast<unsigned long>(sample) * rows + row) * width;
  }
};

// The first position in [begin, end) of an ascending list whose id is at least `bound`. How a
// comparison comes out cannot be predicted, so it decides where to look and not how often.
template <class Id>
inline unsigned lowerBound(const Id* ids, unsigned begin, unsigned end, unsigned bound) {
  for (unsigned length = end - begin, half; length != 0; length = half) {
    half = length / 2;
    begin += ids[begin + half] < bound ? length - half : 0;
  }
  return begin;
}

} // namespace spillway
