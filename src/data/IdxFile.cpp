#include "data/IdxFile.hpp"

#include "data/FileBytes.hpp"

namespace spillway {

IdxArray readIdx(const std::filesystem::path& path, std::size_t numDimensions) {
  constexpr std::uint8_t kUnsignedByte = 0x08;
  const std::vector<std::uint8_t> bytes = readFile(path, Unpack::Gunzip);
  ByteReader reader(path, bytes);
  if (reader.u8("the IDX magic") != 0 || reader.u8("the IDX magic") != 0) {
    throw FileError(path, 0, "not an IDX file: it does not start with two zero bytes");
  }
  const unsigned type = reader.u8("the IDX type");
  if (type != kUnsignedByte) {
    throw FileError(path, 2, "IDX type " + std::to_string(type) + "; it must be 8, unsigned bytes");
  }
  const std::size_t given = reader.u8("the number of dimensions");
  if (given != numDimensions) {
    throw FileError(path, 3,
                    std::to_string(given) + " dimensions; there must be " +
                        std::to_string(numDimensions));
  }
  IdxArray array;
  std::size_t size = 1;
  for (std::size_t d = 0; d < numDimensions; ++d) {
    const std::uint64_t at = reader.offset();
    array.shape.push_back(reader.u32BigEndian("an extent"));
    if (array.shape.back() == 0 || array.shape.back() > bytes.size() / size) {
      throw FileError(path, at,
                      "extent " + std::to_string(array.shape.back()) + " in a file of " +
                          std::to_string(bytes.size()) + " bytes");
    }
    size *= array.shape.back();
  }
  const auto values = reader.take(size, "the array");
  array.values.assign(values.begin(), values.end());
  reader.expectEnd();
  return array;
}

} // namespace spillway
