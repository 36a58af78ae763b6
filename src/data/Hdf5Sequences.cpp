#include "data/Hdf5Sequences.hpp"

#include "data/FileBytes.hpp"
#include "data/Hdf5Errors.hpp"
#include "data/Hdf5File.hpp"

#include <zlib.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace spillway {

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kReferenceBytes = 16;   // u32 elements, u64 address, u32 object
constexpr std::uint64_t kCollectionHeader = 16; // "GCOL", version, 3 reserved, u64 size
constexpr std::uint64_t kObjectHeader = 16;     // u16 number, u16 uses, 4 reserved, u64 size
constexpr std::uint64_t kMaxChunkRows = std::uint64_t{1} << 24;

std::uint64_t littleEndian(const std::uint8_t* from, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) {
    value |= std::uint64_t{from[i]} << (8 * i);
  }
  return value;
}

// Whether `packed` unpacks to exactly `size` bytes.
bool inflateTo(const Bytes& packed, std::size_t size, Bytes& out) {
  out.resize(size);
  uLongf length = size;
  return uncompress(out.data(), &length, packed.data(), packed.size()) == Z_OK && length == size;
}

// Undoes the shuffle filter: first bytes of all elements, then second bytes, ...
Bytes unshuffle(const Bytes& planes) {
  const std::size_t count = planes.size() / kReferenceBytes;
  Bytes elements(planes.size());
  for (std::size_t i = 0; i < count * kReferenceBytes; ++i) {
    elements[i % count * kReferenceBytes + i / count] = planes[i];
  }
  return elements;
}

} // namespace

Hdf5Sequences::Hdf5Sequences(std::filesystem::path path, std::string name, std::int64_t file,
                             std::int64_t set)
    : path_(std::move(path)),
      name_(std::move(name)),
      set_(set),
      fileBytes_(std::filesystem::file_size(path_)),
      stream_(path_, std::ios::binary) {
  const ErrorStack errors;
  const Hdf5Handle layout(H5Fget_create_plist(file), H5Pclose);
  std::size_t addressBytes = 0, lengthBytes = 0;
  hsize_t base = 0;
  if (H5Pget_sizes(layout.id(), &addressBytes, &lengthBytes) < 0 || addressBytes != 8 ||
      lengthBytes != 8 || H5Pget_userblock(layout.id(), &base) < 0) {
    refuse("lies in a file without 8-byte addresses");
  }
  base_ = base;
  const Hdf5Handle space(H5Dget_space(set), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  const hssize_t points = H5Sget_simple_extent_npoints(space.id());
  const Hdf5Handle type(H5Dget_type(set), H5Tclose);
  if (points < 0 || (H5Tget_class(type.id()) != H5T_VLEN && H5Tis_variable_str(type.id()) <= 0)) {
    refuse("does not hold sequences of variable length");
  }
  size_ = static_cast<std::size_t>(points);
  if (size_ > fileBytes_) // what was never written takes no room, but nobody has so many of those
    refuse("has " + std::to_string(size_) + " sequences, more than the file has bytes");
  const Hdf5Handle plan(H5Dget_create_plist(set), H5Pclose);
  const H5D_layout_t kind = H5Pget_layout(plan.id());
  if (kind == H5D_CONTIGUOUS) {
    const haddr_t offset = H5Dget_offset(set);
    isWritten_ = offset != HADDR_UNDEF;
    offset_ = isWritten_ ? offset : 0;
    if (isWritten_ && (offset_ > fileBytes_ || size_ > (fileBytes_ - offset_) / kReferenceBytes)) {
      refuse("does not hold as many sequences as its shape says");
    }
    return;
  }
  hsize_t rows = 0;
  if (kind != H5D_CHUNKED || rank != 1 || H5Pget_chunk(plan.id(), 1, &rows) != 1 || rows == 0 ||
      rows > kMaxChunkRows) {
    refuse("has a layout in which sequences are not read");
  }
  chunkRows_ = rows;
  const int numFilters = H5Pget_nfilters(plan.id());
  for (int i = 0; i < numFilters; ++i) {
    unsigned flags = 0, config = 0;
    std::size_t none = 0;
    const H5Z_filter_t filter = H5Pget_filter2(plan.id(), static_cast<unsigned>(i), &flags, &none,
                                               nullptr, 0, nullptr, &config);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE) {
      refuse("is packed by filter " + std::to_string(filter) +
             "; sequences are read as they are, or packed by gzip and shuffle");
    }
    filters_.push_back(filter);
  }
}

void Hdf5Sequences::refuse(const std::string& message) const {
  throw FileError(path_, "data set '" + name_ + "'", message);
}

void Hdf5Sequences::refuseRow(std::size_t index, const std::string& message) const {
  throw FileError(path_, "data set '" + name_ + "', row " + std::to_string(index), message);
}

Bytes Hdf5Sequences::readAt(std::uint64_t offset, std::uint64_t count,
                            const std::string& what) const {
  if (offset > fileBytes_ || count > fileBytes_ - offset) {
    throw FileError(path_, offset,
                    what + " of " + std::to_string(count) + " bytes would end after the file");
  }
  Bytes bytes(count);
  stream_.clear();
  stream_.seekg(static_cast<std::streamoff>(offset));
  stream_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
  if (!stream_) {
    throw FileError(path_, offset, what + " cannot be read");
  }
  return bytes;
}

// The references of chunk `index`; empty where it was never written.
Bytes Hdf5Sequences::readChunk(std::uint64_t index) const {
  const ErrorStack errors;
  const std::string place = "chunk " + std::to_string(index) + " ";
  const hsize_t first = index * chunkRows_;
  hsize_t packedBytes = 0;
  if (H5Dget_chunk_storage_size(set_, &first, &packedBytes) < 0 || packedBytes == 0) {
    return {};
  }
  if (packedBytes > fileBytes_) {
    refuse(place + "is longer than the file");
  }
  Bytes bytes(packedBytes);
  std::uint32_t leftOut = 0; // filters that this chunk does not use
  if (H5Dread_chunk(set_, H5P_DEFAULT, &first, &leftOut, bytes.data()) < 0) {
    refuse(place + "cannot be read: " + ErrorStack::message());
  }
  const std::size_t size = chunkRows_ * kReferenceBytes;
  for (std::size_t i = filters_.size(); i-- > 0;) {
    if ((leftOut >> i & 1u) != 0) {
      continue;
    }
    if (filters_[i] == H5Z_FILTER_SHUFFLE) {
      bytes = unshuffle(bytes);
    } else if (Bytes unpacked; inflateTo(bytes, size, unpacked)) {
      bytes = std::move(unpacked);
    } else {
      refuse(place + "does not unpack to its size");
    }
  }
  if (bytes.size() != size) {
    refuse(place + "has " + std::to_string(bytes.size()) + " bytes; it must have " +
           std::to_string(size));
  }
  return bytes;
}

const Bytes& Hdf5Sequences::chunk(std::uint64_t index) const {
  if (chunk_.place != index) {
    chunk_ = {}; // what follows may throw
    chunk_.bytes = readChunk(index);
    chunk_.place = index;
  }
  return chunk_.bytes;
}

// The collection at byte `begin`, header and all, which row `index` points to.
const Bytes& Hdf5Sequences::collection(std::uint64_t begin, std::size_t index) const {
  if (collection_.place == begin) {
    return collection_.bytes;
  }
  const Bytes header = readAt(begin, kCollectionHeader, "a collection of sequences");
  if (std::string_view(reinterpret_cast<const char*>(header.data()), 4) != "GCOL" ||
      header[4] != 1) {
    throw FileError(path_, begin,
                    "no collection of sequences, which row " + std::to_string(index) + " of '" +
                        name_ + "' points to");
  }
  const std::uint64_t size = littleEndian(header.data() + 8, 8);
  if (size < kCollectionHeader) {
    throw FileError(path_, begin + 8,
                    "a collection of sequences of " + std::to_string(size) + " bytes");
  }
  collection_ = {};
  collection_.bytes = readAt(begin, size, "a collection of sequences");
  collection_.place = begin;
  return collection_.bytes;
}

Hdf5Sequences::Reference Hdf5Sequences::reference(std::size_t index) const {
  const auto parse = [](const std::uint8_t* from) {
    return Reference{littleEndian(from, 4), littleEndian(from + 4, 8),
                     static_cast<std::uint32_t>(littleEndian(from + 12, 4))};
  };
  if (chunkRows_ != 0) {
    const Bytes& rows = chunk(index / chunkRows_);
    return rows.empty() ? Reference{} : parse(rows.data() + index % chunkRows_ * kReferenceBytes);
  }
  if (!isWritten_) {
    return {};
  }
  return parse(readAt(offset_ + index * kReferenceBytes, kReferenceBytes, "the reference").data());
}

void Hdf5Sequences::readReferences() const {
  for (std::uint64_t row = 0; chunkRows_ != 0 && row < size_; row += chunkRows_) {
    chunk(row / chunkRows_);
  }
}

Bytes Hdf5Sequences::bytes(std::size_t index, std::size_t elementBytes) const {
  const Reference at = reference(index);
  if (at.numElements == 0) {
    return {};
  }
  if (at.address > fileBytes_ || base_ > fileBytes_ - at.address) {
    refuseRow(index, "points to byte " + std::to_string(at.address) + ", after the file's end");
  }
  const std::uint64_t begin = base_ + at.address;
  const Bytes& collection = this->collection(begin, index);
  const std::uint64_t size = collection.size();
  // Objects one behind the other, padded to eight bytes; number 0 is the room that is left.
  for (std::uint64_t place = kCollectionHeader; size - place >= kObjectHeader;) {
    const std::uint8_t* object = collection.data() + place;
    const std::uint64_t number = littleEndian(object, 2);
    const std::uint64_t objectBytes = littleEndian(object + 8, 8);
    const std::uint64_t room = size - place - kObjectHeader;
    if (number == 0) {
      break;
    }
    if (objectBytes > room) {
      throw FileError(path_, begin + place + 8,
                      "a sequence of " + std::to_string(objectBytes) +
                          " bytes, but its collection has " + std::to_string(room) + " left");
    }
    if (number == at.object) {
      if (at.numElements > objectBytes / elementBytes) {
        throw FileError(path_, begin + place + 8,
                        "a sequence of " + std::to_string(objectBytes) + " bytes, of which row " +
                            std::to_string(index) + " of '" + name_ + "' wants " +
                            std::to_string(at.numElements) + " times " +
                            std::to_string(elementBytes));
      }
      const std::uint8_t* from = object + kObjectHeader;
      return {from, from + at.numElements * elementBytes};
    }
    place += kObjectHeader + std::min(room, (objectBytes + 7) / 8 * 8);
  }
  throw FileError(path_, begin,
                  "a collection without the sequence " + std::to_string(at.object) + " of row " +
                      std::to_string(index) + " of '" + name_ + "'");
}

} // namespace spillway
