// What a poplar::Device owns.
#pragma once

#include <poplar/Target.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace ipumodel {

struct DeviceData {
  unsigned id = 0;
  poplar::Target target;
  std::vector<int> driverIds; // the IPUs it stands for
  // attach() is const in the public interface, as the handle itself does not change.
  mutable std::atomic<bool> attached{false};
};

} // namespace ipumodel
