// Sequences of numbers of variable length in an HDF5 file, of whatever type they were written in.
#pragma once

#include "data/Hdf5Handle.hpp"
#include "data/Hdf5Sequences.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace spillway {

class Hdf5NumberSequences {
public:
  // Of the open data set `name` of an open file, which outlives this. Throws FileError where it
  // holds something else.
  Hdf5NumberSequences(const std::filesystem::path& path, const std::string& name, std::int64_t file,
                      Hdf5Handle set);

  std::size_t size() const { return rows_.size(); }

  // Throws FileError where there is no such row, or it is damaged; not for two threads at a time.
  // T: float or double.
  template <typename T>
  std::vector<T> row(std::size_t index) const;

  void readReferences() const { rows_.readReferences(); }

private:
  std::filesystem::path path_;
  std::string name_;
  Hdf5Handle set_;
  Hdf5Handle element_; // its type in the file
  Hdf5Sequences rows_;
};

} // namespace spillway
