// What the tiles hold.
#pragma once

#include <pva/List.hpp>

#include <cstdint>

namespace pva {

/// Bytes of a category in one region of tile memory: of its own, or shared over time.
class RegionBytes {
public:
  RegionBytes(std::uint64_t nonOverlapped, std::uint64_t overlapped)
      : nonOverlapped_(nonOverlapped), overlapped_(overlapped) {}
  std::uint64_t nonOverlapped() const { return nonOverlapped_; }
  std::uint64_t overlapped() const { return overlapped_; }

private:
  std::uint64_t nonOverlapped_, overlapped_;
};

/// Bytes of one category on a tile. The model does not place categories in memory elements: all are
/// reported as not interleaved.
class CategoryMemory {
public:
  CategoryMemory(std::uint64_t nonOverlapped, std::uint64_t overlapped)
      : nonOverlapped_(nonOverlapped), overlapped_(overlapped) {}
  std::uint64_t total() const { return nonOverlapped_ + overlapped_; }
  RegionBytes nonInterleaved() const { return RegionBytes(nonOverlapped_, overlapped_); }
  RegionBytes interleaved() const { return RegionBytes(0, 0); }
  RegionBytes overflowed() const { return RegionBytes(0, 0); }

private:
  std::uint64_t nonOverlapped_, overlapped_;
};

class MemoryByCategory {
public:
  MemoryByCategory(const Data& data, std::size_t tile) : data_(data), tile_(tile) {}
  CategoryMemory variable() const;
  CategoryMemory constant() const;
  CategoryMemory vertexInstanceState() const;
  CategoryMemory vertexFieldData() const;
  CategoryMemory vectorListDescriptor() const;
  CategoryMemory vertexCode() const;
  CategoryMemory copyDescriptor() const;
  CategoryMemory controlCode() const;
  CategoryMemory internalExchangeCode() const;
  CategoryMemory hostExchangeCode() const;
  CategoryMemory hostExchangePacketHeader() const;
  CategoryMemory globalExchangeCode() const;
  CategoryMemory globalExchangePacketHeader() const;
  CategoryMemory instrumentationResults() const;
  CategoryMemory stack() const;
  CategoryMemory message() const;
  CategoryMemory rearrangement() const;

private:
  Data data_;
  std::size_t tile_;
};

class MemoryTotal {
public:
  MemoryTotal(std::uint64_t excludingGaps, std::uint64_t includingGaps)
      : excludingGaps_(excludingGaps), includingGaps_(includingGaps) {}
  std::uint64_t excludingGaps() const { return excludingGaps_; }
  std::uint64_t includingGaps() const { return includingGaps_; }

private:
  std::uint64_t excludingGaps_, includingGaps_;
};

class VertexType {
public:
  VertexType(const Data& data, std::size_t index) : data_(data), index_(index) {}
  std::string name() const;
  std::uint64_t codeBytes() const; // on one tile

private:
  Data data_;
  std::size_t index_;
};

/// The vertices of one type on a tile.
class VertexMemory {
public:
  VertexMemory(const Data& data, std::size_t tile, std::size_t entry)
      : data_(data), tile_(tile), entry_(entry) {}
  VertexType type() const;
  std::uint64_t count() const;
  std::uint64_t codeBytes() const;

private:
  Data data_;
  std::size_t tile_, entry_;
};

class TileMemory {
public:
  TileMemory(const Data& data, std::size_t tile) : data_(data), tile_(tile) {}
  MemoryTotal total() const;
  std::uint64_t alwaysLiveBytes() const;
  std::uint64_t notAlwaysLiveBytes() const; // at the tile's peak
  bool overflowed() const;                  // needs more than the tile has
  MemoryByCategory category() const { return MemoryByCategory(data_, tile_); }
  std::vector<VertexMemory> vertices() const;

private:
  Data data_;
  std::size_t tile_;
};

class Tile {
public:
  Tile(const Data& data, std::size_t index) : data_(data), index_(index) {}
  std::size_t id() const { return index_; }
  TileMemory memory() const { return TileMemory(data_, index_); }

private:
  Data data_;
  std::size_t index_;
};

} // namespace pva
