#include "reference/DenseTensor.hpp"

#include "network/UserError.hpp"

#include <algorithm>
#include <utility>

namespace spillway::reference {

namespace {

std::size_t numElements(const std::vector<std::size_t>& shape) {
  std::size_t size = 1;
  for (std::size_t extent : shape) {
    size *= extent;
  }
  return size;
}

} // namespace

DenseSet zeros(const NetworkSpec& network) {
  DenseSet set;
  for (const ParameterTensor& tensor : parameterShapes(network)) {
    set.push_back({tensor.name, tensor.shape, std::vector<double>(numElements(tensor.shape))});
  }
  return set;
}

DenseSet toDense(const NetworkSpec& network, const ParameterSet& parameters) {
  DenseSet set = zeros(network);
  if (parameters.size() != set.size()) {
    throw UserError("the network has " + std::to_string(set.size()) + " parameter tensors, but " +
                    std::to_string(parameters.size()) + " were given");
  }
  for (std::size_t i = 0; i < set.size(); ++i) {
    const ParameterTensor& given = parameters[i];
    if (given.name != set[i].name || given.values.size() != set[i].values.size()) {
      throw UserError("parameter tensor " + std::to_string(i) + " is " + given.name + " with " +
                      std::to_string(given.values.size()) + " values; it must be " + set[i].name +
                      " with " + std::to_string(set[i].values.size()));
    }
    std::copy(given.values.begin(), given.values.end(), set[i].values.begin());
  }
  return set;
}

ParameterSet toParameters(const DenseSet& set) {
  ParameterSet parameters;
  for (const DenseTensor& tensor : set) {
    std::vector<float> values(tensor.values.size());
    std::transform(tensor.values.begin(), tensor.values.end(), values.begin(),
                   [](double value) { return static_cast<float>(value); });
    parameters.push_back({tensor.name, tensor.shape, std::move(values)});
  }
  return parameters;
}

const DenseTensor* find(const DenseSet& set, const std::string& name) {
  const auto it = std::find_if(set.begin(), set.end(),
                               [&](const DenseTensor& tensor) { return tensor.name == name; });
  return it == set.end() ? nullptr : &*it;
}

DenseTensor* find(DenseSet& set, const std::string& name) {
  return const_cast<DenseTensor*>(find(std::as_const(set), name));
}

} // namespace spillway::reference
