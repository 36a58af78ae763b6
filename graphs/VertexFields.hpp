// The fields that vertices of many kinds share.
#pragma once

#include "graphs/Geometry.hpp"
#include "graphs/UnitTensors.hpp"

#include <poplar/Graph.hpp>

namespace spillway {

// neurons, samples, blockSteps; puts the vertex on the tile.
void setBlockFields(poplar::Graph& graph, const poplar::VertexRef& vertex, const Geometry& geometry,
                    std::size_t unit, std::size_t tile);

// The same, and rows and width of the slab the unit reads.
void setUnitFields(poplar::Graph& graph, const poplar::VertexRef& vertex, const Geometry& geometry,
                   std::size_t unit, std::size_t tile, std::uint32_t slabRows);

// ownRows, ownWidth, fanIn, recurrent: a unit that may read its own list.
void setRecurrenceFields(poplar::Graph& graph, const poplar::VertexRef& vertex,
                         const Geometry& geometry, std::size_t unit, std::uint32_t slabRows);

// weights, recurrent, bias, recurrentBias, threshold, sums, kept: a gated layer's vertex on one
// tile.
void connectGatedParameters(poplar::Graph& graph, const poplar::VertexRef& vertex, const Unit& unit,
                            std::size_t tile, const UnitTensors& tensors);

// A tile's weights of what a gated layer receives and, after dropconnect, of its own events.
poplar::Tensor inputWeights(const Unit& unit, std::size_t tile, const UnitTensors& tensors);
poplar::Tensor recurrentWeights(const Unit& unit, std::size_t tile, const UnitTensors& tensors);

// neurons, firstNeuron, layerSize, fanIn, samples, rows, width, capacity, ownWidth, stream,
// zoneout, dropoutStream, dropout; puts the vertex on the tile.
void setGatedFields(poplar::Graph& graph, const poplar::VertexRef& vertex, const Geometry& geometry,
                    std::size_t unit, std::size_t tile, std::uint32_t slabRows);

// alpha, gain, theta, rho, beta.
void setNeuronFields(poplar::Graph& graph, const poplar::VertexRef& vertex, const LayerSpec& layer);

// numSteps, reduction, alpha, gain.
void setReadoutFields(poplar::Graph& graph, const poplar::VertexRef& vertex,
                      const Geometry& geometry);

} // namespace spillway
