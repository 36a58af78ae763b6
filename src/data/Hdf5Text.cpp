// Groups and strings of HDF5 files.
#include "data/FileBytes.hpp"
#include "data/Hdf5Errors.hpp"
#include "data/Hdf5Extent.hpp"
#include "data/Hdf5File.hpp"
#include "data/Hdf5Sequences.hpp"

#include <algorithm>

namespace spillway {

namespace {

// UTF-8 of variable length, in memory and in the files we write.
Hdf5Handle variableText() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

// The type that reads a file's strings of fixed length: the library does not convert the character
// set.
Hdf5Handle matchingText(hid_t fileType) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5Tget_size(fileType));
  H5Tset_cset(type.id(), H5Tget_cset(fileType));
  H5Tset_strpad(type.id(), H5Tget_strpad(fileType));
  return type;
}

} // namespace

bool Hdf5Reader::isGroup(const std::string& name) const {
  if (!has(name)) {
    return false;
  }
  const ErrorStack errors;
  const Hdf5Handle object(H5Oopen(file_.id(), name.c_str(), H5P_DEFAULT), H5Oclose);
  return object.isOpen() && H5Iget_type(object.id()) == H5I_GROUP;
}

int Hdf5Reader::classOf(const std::string& name) const {
  if (!has(name)) {
    return -1;
  }
  const ErrorStack errors;
  const Hdf5Handle object(H5Oopen(file_.id(), name.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.isOpen() || H5Iget_type(object.id()) != H5I_DATASET) {
    return -1;
  }
  return H5Tget_class(Hdf5Handle(H5Dget_type(object.id()), H5Tclose).id());
}

bool Hdf5Reader::isText(const std::string& name) const {
  return classOf(name) == H5T_STRING;
}

bool Hdf5Reader::isNumeric(const std::string& name) const {
  const int kind = classOf(name);
  return kind == H5T_INTEGER || kind == H5T_FLOAT;
}

std::vector<std::string> Hdf5Reader::members(const std::string& group) const {
  const ErrorStack errors;
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  const std::string path = group.empty() ? "/" : group;
  if (H5Literate_by_name(file_.id(), path.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect,
                         &names, H5P_DEFAULT) < 0) {
    throw FileError(path_, "group '" + group + "'", "cannot be read: " + ErrorStack::message());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> Hdf5Reader::readTexts(const std::string& name) const {
  const Hdf5Handle set = openDataSet(name);
  const ErrorStack errors;
  const Hdf5Handle fileType(H5Dget_type(set.id()), H5Tclose);
  if (H5Tget_class(fileType.id()) != H5T_STRING) {
    throw FileError(path_, quoted(name), "holds no text");
  }
  return H5Tis_variable_str(fileType.id()) > 0 ? variableTexts(name, set)
                                               : fixedTexts(name, set, fileType);
}

std::vector<std::string> Hdf5Reader::variableTexts(const std::string& name,
                                                   const Hdf5Handle& set) const {
  const Hdf5Sequences sequences(path_, name, file_.id(), set.id());
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    const std::vector<std::uint8_t> bytes = sequences.bytes(i, 1);
    texts.emplace_back(bytes.begin(), std::find(bytes.begin(), bytes.end(), 0));
  }
  return texts;
}

std::vector<std::string> Hdf5Reader::fixedTexts(const std::string& name, const Hdf5Handle& set,
                                                const Hdf5Handle& fileType) const {
  const Hdf5Handle type = matchingText(fileType.id());
  const Hdf5Handle space(H5Dget_space(set.id()), H5Sclose);
  const std::size_t size = H5Tget_size(type.id());
  const std::size_t count =
      credibleSize(path_, name, extentOf(set), std::max<std::size_t>(size, 1));
  if (!hasStorage(path_, set, count)) {
    throw FileError(path_, quoted(name), "does not hold as many texts as its shape says");
  }
  std::vector<char> bytes(count * size);
  if (count > 0 && H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) {
    throw FileError(path_, quoted(name), "cannot be read: " + ErrorStack::message());
  }
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const char* begin = bytes.data() + i * size;
    texts.emplace_back(begin, std::find(begin, begin + size, '\0'));
  }
  return texts;
}

void Hdf5Writer::writeTexts(const std::string& name, const std::vector<std::size_t>& shape,
                            const std::vector<std::string>& texts) {
  const ErrorStack errors;
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  const Hdf5Handle space(
      extents.empty() ? H5Screate(H5S_SCALAR)
                      : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
      H5Sclose);
  if (H5Sget_simple_extent_npoints(space.id()) != static_cast<hssize_t>(texts.size())) {
    throw std::logic_error(quoted(name) + ": the number of texts does not fit the shape");
  }
  std::vector<const char*> pointers;
  for (const std::string& text : texts) {
    pointers.push_back(text.c_str());
  }
  const Hdf5Handle type = variableText();
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.id(), 1);
  const Hdf5Handle set(H5Dcreate2(file_.id(), name.c_str(), type.id(), space.id(), links.id(),
                                  H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose);
  if (!set.isOpen() || (!texts.empty() && H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL,
                                                   H5P_DEFAULT, pointers.data()) < 0)) {
    throw FileError(path_, quoted(name), "cannot be written: " + ErrorStack::message());
  }
}

} // namespace spillway
