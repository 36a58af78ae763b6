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
  if (index != 0) { // the inputs want no gradient
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
