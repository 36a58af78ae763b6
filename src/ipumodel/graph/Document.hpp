// A document in the format that was asked for: JSON, or the same as CBOR.
#pragma once

#include <poplar/Graph.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <ostream>
#include <vector>

namespace ipumodel {

inline void writeDocument(std::ostream& os, const nlohmann::ordered_json& json,
                          poplar::SerializationFormat format) {
  if (format == poplar::SerializationFormat::JSON) {
    os << json.dump(1) << '\n';
    return;
  }
  const std::vector<std::uint8_t> bytes = nlohmann::ordered_json::to_cbor(json);
  os.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

} // namespace ipumodel
