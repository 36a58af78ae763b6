// Gated units in the paper's convention (docs/egru.md) on a row of units.
#pragma once

#include "maths/EventProducts.hpp"
#include "maths/GatedUnit.hpp"

namespace spillway {

// Where the reset gate of unit `id` lies: each tile holds [sample][room][its neurons].
struct ResetsOf {
  unsigned room;
  unsigned neuronsPerTile; // the last tile may hold fewer
  unsigned layerSize;

  unsigned tile(unsigned id) const { return id / neuronsPerTile; }
  unsigned long at(unsigned id, unsigned sample, unsigned step) const {
    const unsigned begin = tile(id) * neuronsPerTile, left = layerSize - begin;
    const unsigned held = left < neuronsPerTile ? left : neuronsPerTile;
    return (static_cast<unsigned long>(sample) * room + step) * held + (id - begin);
  }
};

// The events of a list, each times the reset gate of its unit, in `to` of the same layout.
template <class Id, class Tiles>
inline List<Id> gatedList(List<Id> list, unsigned capacity, const ResetsOf& where, Tiles& gates,
                          unsigned sample, unsigned step, Id* to) {
  ListValue* values = reinterpret_cast<ListValue*>(to + valuesBegin(capacity));
  for (unsigned k = 0; k < list.numSpikes(); ++k) {
    const unsigned id = list.ids()[k];
    to[kListHeader + k] = static_cast<Id>(id);
    values[k] = list.values(capacity)[k] * gates[where.tile(id)][where.at(id, sample, step)];
  }
  to[0] = to[1] = static_cast<Id>(list.numSpikes());
  return {to};
}

struct PaperWeights {
  const float* weights;   // [fan-in][gate][neurons]
  const float* recurrent; // [layer size][gate][neurons]
  const float* bias;      // [gate][neurons]
};

template <unsigned W>
struct PaperGates {
  Row<W> update, candidate;
};

// gated: events times their reset gates.
template <class Id, unsigned W>
inline PaperGates<W> paperGates(List<Id> received, unsigned capacity, List<Id> events,
                                List<Id> gated, unsigned layerSize, const PaperWeights& from,
                                unsigned neurons, unsigned first) {
  const auto sumOf = [&](unsigned gate, List<Id> own) {
    const unsigned column = gate * neurons + first;
    const Row<W> sum = gatherEventRow<Id, W>(loadRow<W>(from.bias + column), received, capacity,
                                             from.weights + column, 3 * neurons);
    return gatherEventRow<Id, W>(sum, own, layerSize, from.recurrent + column, 3 * neurons);
  };
  return {sigmoidRow<W>(sumOf(0, events)), tanhRow<W>(sumOf(2, gated))};
}

} // namespace spillway
