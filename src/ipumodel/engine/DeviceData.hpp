// What a poplar::Device owns.
#pragma once

#include "engine/DeviceHold.hpp"

#include <poplar/Target.hpp>

#include <memory>
#include <vector>

namespace ipumodel {

struct DeviceData {
  unsigned id = 0;
  poplar::Target target;
  std::vector<int> driverIds; // the IPUs it stands for
  // Shared with the virtual devices made of it.
  std::shared_ptr<DeviceHold> hold = std::make_shared<DeviceHold>();
};

} // namespace ipumodel
