// Writes tensors as text, the way PrintTensor shows them.
#pragma once

#include <poplar/PrintTensor.hpp>
#include <poplar/Type.hpp>

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

namespace ipumodel {

// `data` holds the elements packed in row-major order, device format. Writes "title: [...]" and a
// newline; inner dimensions stand on lines of their own.
void printTensor(std::ostream& out, const std::string& title, poplar::Type type,
                 const std::vector<std::size_t>& shape, const std::byte* data,
                 const poplar::PrintTensorFmt& format);

} // namespace ipumodel
