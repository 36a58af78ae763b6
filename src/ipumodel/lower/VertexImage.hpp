// The image under construction: vertex objects first, then the tables they point at.
#pragma once

#include "lower/LoweredProgram.hpp"

#include <cstring>

namespace ipumodel {

enum class Memory { Variables, Image, Scratch };

class VertexImage {
public:
  explicit VertexImage(LoweredProgram& program) : program_(program) {}

  // Zeroed space; returns its offset.
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t align) {
    const std::uint64_t offset = (program_.image.size() + align - 1) / align * align;
    program_.image.resize(offset + bytes);
    return offset;
  }

  void write(std::uint64_t at, const void* data, std::size_t bytes) {
    std::memcpy(program_.image.data() + at, data, bytes);
  }

  // A pointer at `at` to `target` in that memory, set when the image is loaded.
  void writePointer(std::uint64_t at, Memory memory, std::uint64_t target) {
    write(at, &target, sizeof target);
    pointers(memory).push_back(at);
  }

  void writeSpan(std::uint64_t at, Memory memory, std::uint64_t target, std::size_t size) {
    writePointer(at + offsetof(HostSpan, data), memory, target);
    write(at + offsetof(HostSpan, size), &size, sizeof size);
  }

private:
  std::vector<std::uint64_t>& pointers(Memory memory) {
    switch (memory) {
    case Memory::Variables:
      return program_.pointersToVariables;
    case Memory::Image:
      return program_.pointersToImage;
    default:
      return program_.pointersToScratch;
    }
  }

  LoweredProgram& program_;
};

} // namespace ipumodel
