#include "data/ParameterFile.hpp"

#include "data/FileBytes.hpp"

namespace spillway {

namespace {

std::string text(const std::vector<std::size_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  return text + "]";
}

std::vector<float> readShaped(const Hdf5Reader& file, const std::string& name,
                              const std::vector<std::size_t>& shape) {
  if (file.shape(name) != shape) {
    throw FileError(file.path(), "data set '" + name + "'",
                    "has shape " + text(file.shape(name)) + "; it must be " + text(shape));
  }
  return file.read<float>(name).values;
}

} // namespace

void writeParameters(Hdf5Writer& file, const ParameterSet& parameters, const std::string& prefix) {
  for (const ParameterTensor& tensor : parameters) {
    file.write<float>(prefix + tensor.name, tensor.shape, tensor.values);
  }
}

ParameterSet readParameters(const Hdf5Reader& file, const NetworkSpec& network,
                            const std::string& prefix) {
  ParameterSet parameters = parameterShapes(network);
  for (ParameterTensor& tensor : parameters) {
    tensor.values = readShaped(file, prefix + tensor.name, tensor.shape);
    if (const std::string found = firstNotFinite(tensor); !found.empty()) {
      throw FileError(file.path(), "data set '" + prefix + tensor.name + "'",
                      found + "; every value must be finite");
    }
  }
  return parameters;
}

} // namespace spillway
