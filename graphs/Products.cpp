#include "graphs/Products.hpp"

#include "graphs/RowView.hpp"
#include "graphs/VertexFields.hpp"
#include "graphs/VertexName.hpp"

namespace spillway {
namespace {

// One product with rows of a unit's weights: those of the list below, or a recurrent layer's own.
struct Product {
  std::size_t list;
  std::size_t firstRow; // of the weights
  const TiledTensor& partials;
  const TiledTensor& panels;
  poplar::Tensor slab;
};

// One vertex per tile of the layer below, which receives its product whole.
void addLayerProduct(poplar::Graph& graph, const Geometry& geometry, std::size_t index,
                     const UnitTensors& tensors, const Sequencer& sequencer,
                     poplar::ComputeSet computeSet) {
  const Unit &unit = geometry.units[index], &below = geometry.units[index - 1];
  std::vector<poplar::Tensor> scaled;
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    scaled.push_back(tensors.scaled.piece(i));
  }
  for (std::size_t b = 0; b < below.numTiles(); ++b) {
    std::vector<poplar::Tensor> weights;
    for (std::size_t i = 0; i < unit.numTiles(); ++i) {
      const std::size_t n = unit.numNeurons(i), begin = below.firstNeuron(b);
      weights.push_back(
          tensors.weights.piece(i).slice(begin * n, (begin + below.numNeurons(b)) * n));
    }
    auto vertex = graph.addVertex(computeSet, "LayerProduct",
                                  {{"control", sequencer.control[index]},
                                   {"partials", tensors.partials.piece(b)},
                                   {"panels", tensors.panels.piece(b)}});
    graph.connect(vertex["weights"], weights);
    graph.connect(vertex["scaled"], scaled);
    graph.setInitialValue(vertex["layerSize"], unit.size);
    graph.setInitialValue(vertex["neuronsPerTile"], unit.placement.neuronsPerTile);
    graph.setInitialValue(vertex["samples"], geometry.sequence.numSamples);
    graph.setInitialValue(vertex["blockSteps"], geometry.sequence.blockSteps);
    graph.setInitialValue(vertex["fanIn"], below.numNeurons(b));
    graph.setTileMapping(vertex, below.placement.tiles[b]);
  }
}

void addProduct(poplar::Graph& graph, const Geometry& geometry, std::size_t index,
                const UnitTensors& tensors, const Product& product, const Sequencer& sequencer,
                poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[index];
  const ListShape& list = geometry.lists[product.list];
  const std::string type =
      list.denseGradient ? "DenseProduct" : vertexName("ListProduct", geometry.idType);
  for (std::size_t i = 0; i < unit.numTiles(); ++i) {
    const std::size_t n = unit.numNeurons(i);
    auto vertex = graph.addVertex(
        computeSet, type,
        {{"control", sequencer.control[index]},
         {"weights",
          tensors.weights.piece(i).slice(product.firstRow * n, (product.firstRow + list.size) * n)},
         {"scaled", tensors.scaled.piece(i)},
         {"partials", product.partials.piece(i)}});
    setBlockFields(graph, vertex, geometry, index, i);
    if (list.denseGradient) {
      graph.connect(vertex["panels"], product.panels.piece(i));
      graph.setInitialValue(vertex["fanIn"], list.size);
      graph.setInitialValue(vertex["neuronsPerTileBelow"],
                            geometry.units[product.list - 1].placement.neuronsPerTile);
    } else {
      const RowView received = blockRows(graph, geometry, product.slab, 0);
      graph.connect(vertex["lists"], received.tensor);
      graph.setInitialValue(vertex["rows"], received.rows);
      graph.setInitialValue(vertex["width"], list.width());
    }
  }
}

} // namespace

void addProducts(poplar::Graph& graph, const Geometry& geometry, std::size_t index,
                 const UnitTensors& tensors, const Lists& lists, const Sequencer& sequencer,
                 poplar::ComputeSet computeSet) {
  const Unit& unit = geometry.units[index];
  if (index == 0) {
    // the inputs want no gradient
  } else if (geometry.lists[index].denseGradient && geometry.goesBackByLayer(graph)) {
    addLayerProduct(graph, geometry, index, tensors, sequencer, computeSet);
  } else {
    addProduct(graph, geometry, index, tensors,
               {index, 0, tensors.partials, tensors.panels, lists.slab(index)}, sequencer,
               computeSet);
  }
  if (unit.recurrent) {
    addProduct(
        graph, geometry, index, tensors,
        {index + 1, unit.fanIn, tensors.ownPartials, tensors.ownPanels, lists.ownSlab(index + 1)},
        sequencer, computeSet);
  }
}

} // namespace spillway
