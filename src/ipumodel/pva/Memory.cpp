#include "profile/ProfileData.hpp"

#include <pva/Memory.hpp>

namespace pva {
namespace {

using ipumodel::Category;

CategoryMemory categoryOf(const Data& data, std::size_t tile, Category category) {
  const ipumodel::TileMemory& memory = data->tiles[tile];
  return CategoryMemory(memory.alwaysLive[category], memory.atPeak[category]);
}

} // namespace

CategoryMemory MemoryByCategory::variable() const {
  return categoryOf(data_, tile_, Category::Variable);
}
CategoryMemory MemoryByCategory::constant() const {
  return categoryOf(data_, tile_, Category::Constant);
}
CategoryMemory MemoryByCategory::vertexInstanceState() const {
  return categoryOf(data_, tile_, Category::VertexInstanceState);
}
CategoryMemory MemoryByCategory::vertexFieldData() const {
  return categoryOf(data_, tile_, Category::VertexFieldData);
}
CategoryMemory MemoryByCategory::vectorListDescriptor() const {
  return categoryOf(data_, tile_, Category::VectorListDescriptor);
}
CategoryMemory MemoryByCategory::vertexCode() const {
  return categoryOf(data_, tile_, Category::VertexCode);
}
CategoryMemory MemoryByCategory::copyDescriptor() const {
  return categoryOf(data_, tile_, Category::CopyDescriptor);
}
CategoryMemory MemoryByCategory::controlCode() const {
  return categoryOf(data_, tile_, Category::ControlCode);
}
CategoryMemory MemoryByCategory::internalExchangeCode() const {
  return categoryOf(data_, tile_, Category::InternalExchangeCode);
}
CategoryMemory MemoryByCategory::hostExchangeCode() const {
  return categoryOf(data_, tile_, Category::HostExchangeCode);
}
CategoryMemory MemoryByCategory::hostExchangePacketHeader() const {
  return categoryOf(data_, tile_, Category::HostExchangePacketHeader);
}
CategoryMemory MemoryByCategory::globalExchangeCode() const {
  return categoryOf(data_, tile_, Category::GlobalExchangeCode);
}
CategoryMemory MemoryByCategory::globalExchangePacketHeader() const {
  return categoryOf(data_, tile_, Category::GlobalExchangePacketHeader);
}
CategoryMemory MemoryByCategory::instrumentationResults() const {
  return categoryOf(data_, tile_, Category::InstrumentationResults);
}
CategoryMemory MemoryByCategory::stack() const {
  return categoryOf(data_, tile_, Category::Stack);
}
CategoryMemory MemoryByCategory::message() const {
  return categoryOf(data_, tile_, Category::Message);
}
CategoryMemory MemoryByCategory::rearrangement() const {
  return categoryOf(data_, tile_, Category::Rearrangement);
}

std::string VertexType::name() const {
  return data_->vertexTypes[index_].name;
}
std::uint64_t VertexType::codeBytes() const {
  return data_->vertexTypes[index_].codeBytes;
}

VertexType VertexMemory::type() const {
  return VertexType(data_, data_->tiles[tile_].vertices[entry_].type);
}
std::uint64_t VertexMemory::count() const {
  return data_->tiles[tile_].vertices[entry_].count;
}
std::uint64_t VertexMemory::codeBytes() const {
  return type().codeBytes();
}

MemoryTotal TileMemory::total() const {
  const ipumodel::TileMemory& memory = data_->tiles[tile_];
  return MemoryTotal(memory.totalBytes(), memory.totalBytes() + memory.gapBytes);
}

std::uint64_t TileMemory::alwaysLiveBytes() const {
  return data_->tiles[tile_].alwaysLive.total();
}
std::uint64_t TileMemory::notAlwaysLiveBytes() const {
  return data_->tiles[tile_].atPeak.total();
}
bool TileMemory::overflowed() const {
  return data_->tiles[tile_].totalBytes() > data_->target.bytesPerTile;
}

std::vector<VertexMemory> TileMemory::vertices() const {
  std::vector<VertexMemory> result;
  for (std::size_t i = 0; i < data_->tiles[tile_].vertices.size(); ++i)
    result.push_back(VertexMemory(data_, tile_, i));
  return result;
}

} // namespace pva
