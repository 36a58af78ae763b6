#include "data/NpyFile.hpp"

#include "data/FileBytes.hpp"

#include <zip.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>

namespace spillway {

namespace {

// What follows "'key':" in the header's dictionary, up to the end.
std::string valueOf(const std::string& header, const std::string& key) {
  const std::size_t at = header.find("'" + key + "'");
  const std::size_t colon = at == std::string::npos ? at : header.find(':', at);
  const std::size_t begin =
      colon == std::string::npos ? colon : header.find_first_not_of(' ', colon + 1);
  return begin == std::string::npos ? "" : header.substr(begin);
}

// "(3, 4)" to {3, 4}; false where it is anything else.
bool parseShape(const std::string& text, std::vector<std::size_t>& shape) {
  const char *next = text.data(), *end = text.data() + text.size();
  if (next == end || *next++ != '(') {
    return false;
  }
  while (next != end && *next != ')') {
    if (*next == ' ' || *next == ',') {
      ++next;
      continue;
    }
    std::size_t extent = 0;
    const auto [after, error] = std::from_chars(next, end, extent);
    if (error != std::errc()) {
      return false;
    }
    shape.push_back(extent);
    next = after;
  }
  return next != end;
}

template <typename T>
double loadAs(const std::uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return static_cast<double>(value);
}

} // namespace

NpyArray NpyArray::read(const std::filesystem::path& path) {
  return parse(path, readFile(path));
}

NpyArray NpyArray::parse(const std::filesystem::path& name, std::vector<std::uint8_t> bytes) {
  constexpr std::uint8_t kMagic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
  NpyArray array;
  array.bytes_ = std::move(bytes);
  ByteReader reader(name, array.bytes_);
  const auto magic = reader.take(sizeof(kMagic), "the magic");
  if (!std::equal(magic.begin(), magic.end(), kMagic)) {
    throw FileError(name, 0, "not a .npy file");
  }
  const unsigned major = reader.u8("the version");
  reader.u8("the version");
  if (major < 1 || major > 3) {
    throw FileError(name, 6, "version " + std::to_string(major) + "; it must be 1 to 3");
  }
  const std::size_t headerBytes = major == 1 ? reader.u16LittleEndian("the header's length")
                                             : reader.u32LittleEndian("the header's length");
  const std::uint64_t headerAt = reader.offset();
  const auto header = reader.take(headerBytes, "the header");
  const std::string text(header.begin(), header.end());
  array.setType(name, valueOf(text, "descr"));
  if (!valueOf(text, "fortran_order").starts_with("False")) {
    throw FileError(name, headerAt, "is in Fortran order; save it with numpy.ascontiguousarray");
  }
  if (!parseShape(valueOf(text, "shape"), array.shape_)) {
    throw FileError(name, headerAt, "the header gives no shape");
  }
  array.dataOffset_ = reader.offset();
  std::size_t numElements = 1;
  for (std::size_t extent : array.shape_) {
    if (extent != 0 && numElements > reader.remaining() / extent) {
      reader.fail("the shape has more elements than bytes follow");
    }
    numElements *= extent;
  }
  reader.take(numElements * array.elementBytes_, "the array");
  reader.expectEnd();
  return array;
}

void NpyArray::setType(const std::filesystem::path& name, const std::string& descr) {
  constexpr std::uint64_t kDictionaryAt = 10;
  // 'X' then order, kind and bytes: "'<f4'", "'|b1'".
  const std::string code = descr.size() >= 5 ? descr.substr(1, 3) : "";
  if (descr.empty() || descr[0] != '\'' || descr.find('\'', 1) != 4 ||
      (code[0] != '<' && code[0] != '|' && code[0] != '=')) {
    throw FileError(name, kDictionaryAt,
                    "elements are " + descr.substr(0, descr.find(',')) +
                        "; they must be little-endian numbers or booleans");
  }
  kind_ = code[1];
  elementBytes_ = static_cast<std::size_t>(code[2] - '0');
  const bool integer = kind_ == 'i' || kind_ == 'u';
  const bool known = (kind_ == 'b' && elementBytes_ == 1) ||
                     (kind_ == 'f' && (elementBytes_ == 4 || elementBytes_ == 8)) ||
                     (integer && (elementBytes_ == 1 || elementBytes_ == 2 || elementBytes_ == 4 ||
                                  elementBytes_ == 8));
  if (!known) {
    throw FileError(name, kDictionaryAt,
                    "elements are " + code + "; they must be b1, i1-i8, u1-u8, f4 or f8");
  }
}

std::size_t NpyArray::size() const {
  return (bytes_.size() - dataOffset_) / elementBytes_;
}

double NpyArray::operator[](std::size_t index) const {
  const std::uint8_t* at = bytes_.data() + dataOffset_ + index * elementBytes_;
  if (kind_ == 'f') {
    return elementBytes_ == 4 ? loadAs<float>(at) : loadAs<double>(at);
  }
  const bool isSigned = kind_ == 'i';
  switch (elementBytes_) {
  case 1:
    return isSigned ? loadAs<std::int8_t>(at) : loadAs<std::uint8_t>(at);
  case 2:
    return isSigned ? loadAs<std::int16_t>(at) : loadAs<std::uint16_t>(at);
  case 4:
    return isSigned ? loadAs<std::int32_t>(at) : loadAs<std::uint32_t>(at);
  default:
    return isSigned ? loadAs<std::int64_t>(at) : loadAs<std::uint64_t>(at);
  }
}

namespace {

// In pieces, so that a size that was damaged allocates no more than what is really there.
std::vector<std::uint8_t> readEntry(const std::filesystem::path& path, const std::string& name,
                                    zip_file_t* entry) {
  constexpr std::size_t kChunkBytes = 1 << 20;
  std::vector<std::uint8_t> bytes;
  for (zip_int64_t count = 1; count > 0;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kChunkBytes);
    count = zip_fread(entry, bytes.data() + before, kChunkBytes);
    bytes.resize(before + static_cast<std::size_t>(std::max<zip_int64_t>(count, 0)));
    if (count < 0) {
      throw FileError(path, "entry " + name,
                      "damaged at its byte " + std::to_string(before) + ": " +
                          zip_file_strerror(entry));
    }
  }
  return bytes;
}

} // namespace

std::map<std::string, NpyArray> readNpz(const std::filesystem::path& path,
                                        const std::set<std::string>& names) {
  int code = 0;
  const std::unique_ptr<zip_t, void (*)(zip_t*)> archive(zip_open(path.c_str(), ZIP_RDONLY, &code),
                                                         zip_discard);
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string message = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw FileError(path, 0, "not a whole .npz archive: " + message);
  }
  std::map<std::string, NpyArray> arrays;
  for (zip_int64_t i = 0; i < zip_get_num_entries(archive.get(), 0); ++i) {
    zip_stat_t info;
    const auto index = static_cast<zip_uint64_t>(i);
    const auto cannotBeOpened = [&] {
      return FileError(path, "entry " + std::to_string(i),
                       "cannot be opened: " + std::string(zip_strerror(archive.get())));
    };
    if (zip_stat_index(archive.get(), index, 0, &info) != 0) {
      throw cannotBeOpened();
    }
    const std::string file = info.name;
    const std::string name = file.ends_with(".npy") ? file.substr(0, file.size() - 4) : file;
    if (!names.contains(name)) {
      continue;
    }
    const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> entry(
        zip_fopen_index(archive.get(), index, 0), zip_fclose);
    if (!entry || info.size > kMaxFileBytes) {
      throw cannotBeOpened();
    }
    arrays.emplace(name,
                   NpyArray::parse(path.string() + ":" + file, readEntry(path, file, entry.get())));
  }
  return arrays;
}

} // namespace spillway
