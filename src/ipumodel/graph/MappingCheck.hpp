// Whether the elements of views are on tiles.
#pragma once

#include "graph/GraphData.hpp"

#include <string>
#include <vector>

namespace ipumodel {

class MappingCheck {
public:
  explicit MappingCheck(const GraphData& graph);

  // Throws poplar::invalid_tile_mapping when an element of the view is on no tile; `user` says who
  // needs it there.
  template <class User>
  void require(const View& view, User user) {
    for (const Box& box : view.boxes)
      if (!isComplete(box.var) && !boxIsMapped(box))
        fail(box.var, user());
  }

private:
  bool isComplete(VarId var);
  bool boxIsMapped(const Box& box) const;
  [[noreturn]] void fail(VarId var, const std::string& user) const;

  enum class State : unsigned char { Unknown, Complete, Partial };
  const GraphData& graph_;
  std::vector<State> states_; // by variable
};

} // namespace ipumodel
