#include <poputil/exceptions.hpp>

#include <popsparse/FullyConnectedParams.hpp>
#include <popsparse/MatMulParams.hpp>
#include <popsparse/PlanningCache.hpp>

#include <cmath>
#include <tuple>

namespace popsparse {
namespace {

double checkedRatio(double ratio) {
  if (!(ratio >= 0 && ratio <= 1))
    throw poputil::poplibs_error("popsparse: a share of non-zero values of " +
                                 std::to_string(ratio) + " is not in [0, 1]");
  return ratio;
}

// Whole blocks of them.
std::size_t countOf(double ratio, std::size_t rows, std::size_t columns, std::size_t blockSize) {
  const auto blocks = static_cast<double>(rows * columns) / static_cast<double>(blockSize);
  return static_cast<std::size_t>(std::llround(ratio * blocks)) * blockSize;
}

double ratioOf(std::size_t count, std::size_t rows, std::size_t columns) {
  const auto all = static_cast<double>(rows * columns);
  return all == 0 ? 0 : checkedRatio(static_cast<double>(count) / all);
}

} // namespace

namespace dynamic {
namespace {

auto tied(const SparsityParams& p) {
  return std::tie(p.type, p.structure, p.blockDimensions);
}
auto values(const MatMulParams& p) {
  return std::make_tuple(tied(p.getSparsityParams()), p.getNzRatio(), p.getNumGroups(), p.getM(),
                         p.getK(), p.getN());
}
auto values(const FullyConnectedParams& p) {
  return std::make_tuple(tied(p.getSparsityParams()), p.getNzRatio(), p.getBatchSize(),
                         p.getNumGroups(), p.getInputChannelsPerGroup(),
                         p.getOutputChannelsPerGroup());
}

} // namespace

class PlanningCacheImpl {};
PlanningCache::PlanningCache() = default;
PlanningCache::PlanningCache(poplin::PlanningCache*) {}
PlanningCache::~PlanningCache() = default;

std::ostream& operator<<(std::ostream& os, const SparsityType& type) {
  return os << (type == SparsityType::Element ? "Element" : "Block");
}
std::ostream& operator<<(std::ostream& os, const SparsityStructure&) {
  return os << "Unstructured";
}
std::ostream& operator<<(std::ostream& os, const SparsityParams& p) {
  return os << "{type: " << p.type << ", structure: " << p.structure
            << ", block: " << p.getNumRowsInBlock() << " x " << p.getNumColumnsInBlock() << "}";
}
bool operator<(const SparsityParams& a, const SparsityParams& b) {
  return tied(a) < tied(b);
}
bool operator==(const SparsityParams& a, const SparsityParams& b) {
  return tied(a) == tied(b);
}
bool operator!=(const SparsityParams& a, const SparsityParams& b) {
  return !(a == b);
}

MatMulParams MatMulParams::createWithNzRatio(const SparsityParams& sparsityParams, double nzRatio,
                                             std::size_t groups, std::size_t m, std::size_t k,
                                             std::size_t n) {
  MatMulParams p;
  p.sparsityParams_ = sparsityParams;
  p.nzRatio_ = checkedRatio(nzRatio);
  p.groups_ = groups;
  p.m_ = m;
  p.k_ = k;
  p.n_ = n;
  return p;
}
MatMulParams MatMulParams::createWithNumNonZeroValues(const SparsityParams& sparsityParams,
                                                      std::size_t numNonZeroElems,
                                                      std::size_t groups, std::size_t m,
                                                      std::size_t k, std::size_t n) {
  return createWithNzRatio(sparsityParams, ratioOf(numNonZeroElems, groups * m, k), groups, m, k,
                           n);
}
std::size_t MatMulParams::getNumNonZeroValues() const {
  return countOf(nzRatio_, groups_ * m_, k_, sparsityParams_.getBlockSize());
}
bool operator<(const MatMulParams& a, const MatMulParams& b) {
  return values(a) < values(b);
}
bool operator==(const MatMulParams& a, const MatMulParams& b) {
  return values(a) == values(b);
}
bool operator!=(const MatMulParams& a, const MatMulParams& b) {
  return !(a == b);
}
std::ostream& operator<<(std::ostream& os, const MatMulParams& p) {
  return os << "{sparsity: " << p.getSparsityParams() << ", nzRatio: " << p.getNzRatio()
            << ", groups: " << p.getNumGroups() << ", m: " << p.getM() << ", k: " << p.getK()
            << ", n: " << p.getN() << "}";
}

FullyConnectedParams FullyConnectedParams::createWithNzRatio(const SparsityParams& sparsityParams,
                                                             double nzRatio, std::size_t batchSize,
                                                             std::size_t numGroups,
                                                             std::size_t inputChannels,
                                                             std::size_t outputChannels) {
  if (numGroups == 0 || inputChannels % numGroups != 0 || outputChannels % numGroups != 0)
    throw poputil::poplibs_error("popsparse: " + std::to_string(inputChannels) + " inputs and " +
                                 std::to_string(outputChannels) + " outputs do not make " +
                                 std::to_string(numGroups) + " groups");
  FullyConnectedParams p;
  p.sparsityParams_ = sparsityParams;
  p.nzRatio_ = checkedRatio(nzRatio);
  p.batchSize_ = batchSize;
  p.numGroups_ = numGroups;
  p.inputChannelsPerGroup_ = inputChannels / numGroups;
  p.outputChannelsPerGroup_ = outputChannels / numGroups;
  return p;
}
FullyConnectedParams FullyConnectedParams::createWithNumNonZeroValues(
    const SparsityParams& sparsityParams, std::size_t numNonZeroElems, std::size_t batchSize,
    std::size_t numGroups, std::size_t inputChannels, std::size_t outputChannels) {
  return createWithNzRatio(
      sparsityParams,
      ratioOf(numNonZeroElems, inputChannels / (numGroups ? numGroups : 1), outputChannels),
      batchSize, numGroups, inputChannels, outputChannels);
}
std::size_t FullyConnectedParams::getNumNonZeroValues() const {
  return countOf(nzRatio_, getInputChannelsPerGroup(), getOutputChannels(),
                 sparsityParams_.getBlockSize());
}
bool operator<(const FullyConnectedParams& a, const FullyConnectedParams& b) {
  return values(a) < values(b);
}
bool operator==(const FullyConnectedParams& a, const FullyConnectedParams& b) {
  return values(a) == values(b);
}
bool operator!=(const FullyConnectedParams& a, const FullyConnectedParams& b) {
  return !(a == b);
}
std::ostream& operator<<(std::ostream& os, const FullyConnectedParams& p) {
  return os << "{sparsity: " << p.getSparsityParams() << ", nzRatio: " << p.getNzRatio()
            << ", batchSize: " << p.getBatchSize() << ", groups: " << p.getNumGroups()
            << ", inputs: " << p.getInputChannelsPerGroup()
            << ", outputs: " << p.getOutputChannelsPerGroup() << "}";
}

} // namespace dynamic

namespace static_ {
namespace {

auto values(const MatMulParams& p) {
  return std::make_tuple(p.getNumGroups(), p.getM(), p.getK(), p.getN(), p.isTransposed());
}

} // namespace

class PlanningCacheImpl {};
PlanningCache::PlanningCache() = default;
PlanningCache::~PlanningCache() = default;

MatMulParams MatMulParams::createForSparseDense(std::size_t groups, std::size_t m, std::size_t k,
                                                std::size_t n) {
  MatMulParams p;
  p.groups_ = groups;
  p.m_ = m;
  p.k_ = k;
  p.n_ = n;
  return p;
}
MatMulParams MatMulParams::createForDenseSparse(std::size_t groups, std::size_t n, std::size_t k,
                                                std::size_t m) {
  auto p = createForSparseDense(groups, m, k, n);
  p.transposed_ = true;
  return p;
}
bool operator<(const MatMulParams& a, const MatMulParams& b) {
  return values(a) < values(b);
}
bool operator==(const MatMulParams& a, const MatMulParams& b) {
  return values(a) == values(b);
}
bool operator!=(const MatMulParams& a, const MatMulParams& b) {
  return !(a == b);
}
std::ostream& operator<<(std::ostream& os, const MatMulParams& p) {
  return os << "{groups: " << p.getNumGroups() << ", m: " << p.getM() << ", k: " << p.getK()
            << ", n: " << p.getN() << ", transposed: " << p.isTransposed() << "}";
}

} // namespace static_
} // namespace popsparse
