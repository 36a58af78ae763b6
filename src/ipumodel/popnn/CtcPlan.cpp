#include "popnn/CtcPlan.hpp"

#include <popops/Cast.hpp>
#include <poputil/exceptions.hpp>

#include <ostream>
#include <string>
#include <tuple>

namespace popnn::ctc {

using poplar::DebugContext;
using poplar::Graph;
using poplar::Tensor;

bool Plan::Impl::operator<(const Impl& other) const {
  return std::tie(purpose, sizes) < std::tie(other.purpose, other.sizes);
}
bool Plan::Impl::operator==(const Impl& other) const {
  return purpose == other.purpose && sizes == other.sizes;
}

Plan::Plan() : impl_(std::make_unique<Impl>()) {}
Plan::Plan(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Plan::~Plan() = default;
Plan::Plan(const Plan& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Plan::Plan(Plan&& other) = default;
Plan& Plan::operator=(const Plan& other) {
  impl_ = std::make_unique<Impl>(*other.impl_);
  return *this;
}
Plan& Plan::operator=(Plan&& other) = default;

bool operator<(const Plan& a, const Plan& b) {
  return a.getImpl() < b.getImpl();
}
bool operator==(const Plan& a, const Plan& b) {
  return a.getImpl() == b.getImpl();
}
bool operator!=(const Plan& a, const Plan& b) {
  return !(a == b);
}
std::ostream& operator<<(std::ostream& o, const Plan& p) {
  const auto& i = p.getImpl();
  if (i.purpose == Purpose::None)
    return o << "CTC plan for nothing\n";
  return o << "CTC plan: " << i.sizes[0] << " samples of up to " << i.sizes[1] << " steps, "
           << i.sizes[2] << " classes, "
           << (i.purpose == Purpose::Loss ? "longest label " : "beams ") << i.sizes[3] << "\n";
}

void checkRealType(const poplar::Type& type) {
  if (type != poplar::FLOAT && type != poplar::HALF)
    throw poputil::poplibs_error("ctc: type " + type.toString().cloneAsString() +
                                 "; FLOAT and HALF are legal");
}

void requirePurpose(const Plan& plan, Purpose purpose) {
  if (plan.getImpl().purpose != purpose)
    throw poputil::poplibs_error(std::string("ctc: the plan is not one for ") +
                                 (purpose == Purpose::Loss ? "the loss" : "inference"));
}

unsigned tileOf(const Graph& graph, std::size_t sample) {
  return static_cast<unsigned>(sample % graph.getTarget().getNumTiles());
}

Tensor createPerSample(Graph& graph, const poplar::Type& type, std::size_t batchSize,
                       const std::vector<std::size_t>& shape, const DebugContext& debugContext) {
  auto full = shape;
  full.insert(full.begin(), batchSize);
  const auto t = graph.addVariable(type, full, debugContext);
  for (std::size_t sample = 0; sample != batchSize; ++sample)
    graph.setTileMapping(t[sample], tileOf(graph, sample));
  return t;
}

Tensor createData(Graph& graph, const poplar::Type& type, std::size_t batchSize,
                  std::size_t maxTime, std::size_t numClasses, const DebugContext& debugContext) {
  return createPerSample(graph, type, batchSize, {maxTime, numClasses}, debugContext)
      .dimShuffle({1, 0, 2});
}

Tensor asUnsigned(Graph& graph, const Tensor& t, poplar::program::Sequence& prog,
                  const DebugContext& debugContext) {
  if (t.elementType() == poplar::UNSIGNED_INT)
    return t;
  if (t.elementType() == poplar::INT)
    return t.reinterpret(poplar::UNSIGNED_INT);
  return popops::cast(graph, t, poplar::UNSIGNED_INT, prog, debugContext);
}

} // namespace popnn::ctc
