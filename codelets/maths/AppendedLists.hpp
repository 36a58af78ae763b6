// Lists of all steps that follow one another in memory, on a host: room for the longest lists then
// takes what they hold, since the system gives no memory for what nobody has touched.
//
// A layer's forward pass appends block after block; where a list begins stands in a table
// [index][sample], in places of kPlaceWords words. Only where memory is read in place is that a
// gain: exchange wants to know beforehand what moves.
#pragma once

#include "maths/Control.hpp"
#include "maths/Lists.hpp"

namespace spillway {

constexpr unsigned kPlaceWords = 8; // a vector register of values, and 32 bits tell enough places

// Room for a list of so many words.
constexpr unsigned appendedWords(unsigned width) {
  return (width + kPlaceWords - 1) / kPlaceWords * kPlaceWords;
}

// Words of a list with what it holds, where its values, if it carries some, follow its ids.
template <class Id>
inline unsigned heldWords(List<Id> list, bool valued) {
  constexpr unsigned kValueWords = sizeof(ListValue) / sizeof(Id);
  return valued ? valuesBegin(list.numActive()) + list.numSpikes() * kValueWords
                : kListHeader + list.numActive();
}

template <class Id>
inline unsigned placesOf(List<Id> list, bool valued) {
  return appendedWords(heldWords(list, valued)) / kPlaceWords;
}

// The lists that a layer's block of steps appends. A vertex has `control`, `lists` (the slab),
// `samples`, `rows` and `width`, `begins` (the table) and `history` (where lists are appended).
// f(entry of the table, place, list, sample, row of the slab). Row 0, the list of the step before
// the first, is in the first block only.
template <class Id, class Vertex, class F>
inline void forEachAppended(Vertex& vertex, bool valued, const F& f) {
  const unsigned steps = vertex.control[kNumSteps], samples = vertex.samples;
  if (steps == 0) {
    return;
  }
  const bool opens = vertex.control[kOpensHistory] != 0;
  const unsigned long first = static_cast<unsigned long>(vertex.control[kFirstStep]) * samples;
  const SlabShape slab{vertex.rows, vertex.width};
  unsigned place = 0;
  if (!opens) { // behind the last list of the block before
    place = vertex.begins[first + samples - 1];
    place += placesOf(List<Id>{&vertex.history[static_cast<unsigned long>(place) * kPlaceWords]},
                      valued);
  }
  for (unsigned sample = 0; sample < samples; ++sample) {
    for (unsigned j = opens ? 0 : 1; j <= steps; ++j) {
      const List<Id> list{&vertex.lists[slab.at(sample, j)]};
      f(first + static_cast<unsigned long>(j) * samples + sample, place, list, sample, j);
      place += placesOf(list, valued);
    }
  }
}

} // namespace spillway
