// Rows of elements in Streaming Memory.
#pragma once

#include <poplar/Type.hpp>

namespace poplar {

class RemoteBuffer {
public:
  RemoteBuffer() = default;

  std::string handle() const { return handle_; }
  operator StringRef() const { return handle_; } // the buffer itself where a handle is asked for
  std::size_t numElements() const { return numElements_; } // of one row
  std::size_t getRepeats() const { return repeats_; }      // rows
  Type elementType() const { return elementType_; }
  bool isRearrangeOnHost() const { return rearrangeOnHost_; }
  bool isOptimisedForMemory() const { return optimiseMemory_; }

  friend bool operator==(const RemoteBuffer& a, const RemoteBuffer& b) {
    return a.id_ == b.id_ && a.handle_ == b.handle_;
  }
  friend bool operator!=(const RemoteBuffer& a, const RemoteBuffer& b) { return !(a == b); }

  // For the library itself.
  RemoteBuffer(unsigned id, std::string handle, Type elementType, std::size_t numElements,
               std::size_t repeats, bool rearrangeOnHost, bool optimiseMemory)
      : id_(id),
        handle_(std::move(handle)),
        elementType_(elementType),
        numElements_(numElements),
        repeats_(repeats),
        rearrangeOnHost_(rearrangeOnHost),
        optimiseMemory_(optimiseMemory) {}
  unsigned getId() const { return id_; }

private:
  unsigned id_ = ~0u;
  std::string handle_;
  Type elementType_;
  std::size_t numElements_ = 0;
  std::size_t repeats_ = 1;
  bool rearrangeOnHost_ = false;
  bool optimiseMemory_ = false;
};

} // namespace poplar
