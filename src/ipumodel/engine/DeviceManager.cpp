#include "engine/DeviceData.hpp"

#include <poplar/DeviceManager.hpp>
#include <poplar/exceptions.hpp>

#include <numeric>

namespace poplar {

namespace {

constexpr const char* kDevicesVariable = "IPUMODEL_DEVICES";

[[noreturn]] void badVariable(const std::string& text) {
  throw invalid_option(
      std::string(kDevicesVariable) + "='" + text +
      "': give a number of IPUs, such as 4, or an architecture and a number, such as ipu2:4");
}

std::unique_ptr<ipumodel::DeviceData> makeData(unsigned id, const Target& target) {
  auto data = std::make_unique<ipumodel::DeviceData>();
  data->id = id;
  data->target = target;
  return data;
}

// IPUs [first, first + size) of the machine.
Device makeDevice(unsigned id, const Target& target, unsigned first, unsigned size) {
  auto data = makeData(id, target);
  data->driverIds.resize(size);
  std::iota(data->driverIds.begin(), data->driverIds.end(), static_cast<int>(first));
  data->hold = std::make_shared<ipumodel::DeviceHold>(data->driverIds);
  return Device(std::move(data));
}

} // namespace

DeviceManager::DeviceManager() : numIPUs_(0), architecture_("ipu2") {
  const char* variable = std::getenv(kDevicesVariable);
  if (!variable || !*variable)
    return;
  const std::string text = variable;
  std::string count = text;
  if (const auto colon = text.find(':'); colon != std::string::npos) {
    architecture_ = text.substr(0, colon);
    count = text.substr(colon + 1);
  }
  if (count.empty() || count.size() > 4 ||
      count.find_first_not_of("0123456789") != std::string::npos)
    badVariable(text);
  numIPUs_ = static_cast<unsigned>(std::stoul(count));
}

DeviceManager::~DeviceManager() = default;
DeviceManager::DeviceManager(const DeviceManager&) = default;
DeviceManager::DeviceManager(DeviceManager&&) noexcept = default;
DeviceManager& DeviceManager::operator=(const DeviceManager&) = default;
DeviceManager& DeviceManager::operator=(DeviceManager&&) noexcept = default;

DeviceManager DeviceManager::createDeviceManager() {
  return DeviceManager();
}

std::size_t DeviceManager::getNumDevices() const {
  return getDevices().size();
}

std::vector<Device> DeviceManager::getDevices(const OptionFlags& opts) const {
  std::vector<Device> devices;
  unsigned id = 0;
  for (unsigned size = 1; size <= numIPUs_; size *= 2)
    for (unsigned first = 0; first + size <= numIPUs_; first += size)
      devices.push_back(
          makeDevice(id++, Target::createIPUTarget(size, architecture_, opts), first, size));
  devices.emplace_back(makeData(id, Target::createCPUTarget()));
  return devices;
}

std::vector<Device> DeviceManager::getDevices(TargetType type, unsigned requiredNumIPUs,
                                              const OptionFlags& opts) const {
  std::vector<Device> found;
  for (Device& device : getDevices(opts)) {
    const Target& target = device.getTarget();
    if (target.getTargetType() == type && target.getNumIPUs() == requiredNumIPUs)
      found.push_back(std::move(device));
  }
  return found;
}

Device DeviceManager::getDevice(unsigned deviceManagerId, const OptionFlags& opts) const {
  std::vector<Device> devices = getDevices(opts);
  if (deviceManagerId >= devices.size())
    throw poplar_error("device id " + std::to_string(deviceManagerId) + " is not below " +
                       std::to_string(devices.size()) + "; IPU devices are offered when " +
                       kDevicesVariable + " asks for them");
  return std::move(devices[deviceManagerId]);
}

Device DeviceManager::acquireAvailableDevice(TargetType type, unsigned requiredNumIPUs,
                                             const OptionFlags& opts) const {
  std::vector<Device> devices = getDevices(type, requiredNumIPUs, opts);
  for (Device& device : devices)
    if (device.attach())
      return std::move(device);
  if (!devices.empty())
    throw poplar_error("no free device with " + std::to_string(requiredNumIPUs) + " IPUs; all " +
                       std::to_string(devices.size()) + " are attached to already");
  throw poplar_error("no device with " + std::to_string(requiredNumIPUs) + " IPUs; set " +
                     kDevicesVariable + " to offer model-backed IPUs");
}

Device DeviceManager::acquireAvailableDevice(unsigned requiredNumIPUs) const {
  return acquireAvailableDevice(TargetType::IPU, requiredNumIPUs);
}

Device DeviceManager::acquireDeviceById(unsigned deviceManagerId, const OptionFlags& opts) const {
  Device device = getDevice(deviceManagerId, opts);
  if (!device.attach())
    throw poplar_error("device " + std::to_string(deviceManagerId) +
                       ", or an IPU of it, is attached to already");
  return device;
}

std::vector<unsigned> DeviceManager::getChildDeviceIds(unsigned parentId,
                                                       unsigned numChildIPUs) const {
  const std::vector<Device> devices = getDevices();
  if (parentId >= devices.size())
    throw poplar_error("device id " + std::to_string(parentId) + " is not below " +
                       std::to_string(devices.size()));
  const unsigned size = devices[parentId].getTarget().getNumIPUs();
  unsigned firstIPU = 0; // of the parent within its group size
  for (unsigned id = 0; id < parentId; ++id)
    if (devices[id].getTarget().getNumIPUs() == size)
      firstIPU += size;
  std::vector<unsigned> children;
  unsigned ipu = 0;
  for (unsigned id = 0; id < devices.size(); ++id) {
    if (devices[id].getTarget().getNumIPUs() != numChildIPUs)
      continue;
    if (ipu >= firstIPU && ipu + numChildIPUs <= firstIPU + size)
      children.push_back(id);
    ipu += numChildIPUs;
  }
  return children;
}

} // namespace poplar
