#include "engine/DeviceData.hpp"

#include <poplar/Device.hpp>
#include <poplar/exceptions.hpp>

#include <numeric>

namespace poplar {

using ipumodel::DeviceData;

Device::Device() = default;
Device::~Device() = default;
Device::Device(Device&&) noexcept = default;
Device& Device::operator=(Device&&) noexcept = default;
Device::Device(std::unique_ptr<DeviceData> data) : data_(std::move(data)) {
  if (!data_->driverIds.empty())
    return;
  data_->driverIds.resize(data_->target.getNumIPUs());
  std::iota(data_->driverIds.begin(), data_->driverIds.end(), static_cast<int>(data_->id));
}

unsigned Device::getId() const {
  return data_->id;
}
const Target& Device::getTarget() const {
  return data_->target;
}
std::vector<int> Device::getDriverIDs() const {
  return data_->driverIds;
}
std::vector<int> Device::getNumaTopology() const {
  return std::vector<int>(data_->driverIds.size(), 0);
}
std::set<int> Device::getNumaNodesUsedForIPUs() const {
  return {0};
}
void Device::getDriverVersion(unsigned& major, unsigned& minor, unsigned& point) const {
  major = minor = point = 0;
}
bool Device::hasGateway() const {
  return data_->target.getTargetType() == TargetType::IPU;
}
bool Device::supportsRemoteBuffers() const {
  return true;
}
bool Device::supportsGraphStreaming() const {
  return false;
}

std::map<std::string, std::string> Device::getAttributes() const {
  return {{"board type", "IPU Model"},
          {"board variant", data_->target.getTargetSystemString().cloneAsString()},
          {"architecture", data_->target.getTargetArchString().cloneAsString()},
          {"clock", std::to_string(data_->target.getTileClockFrequency())}};
}

std::string Device::getAttribute(IPUAttributes::AttributeId id) const {
  return getAttributes().at(id == IPUAttributes::AttributeId::BoardType ? "board type"
                                                                        : "board variant");
}

bool Device::attach() const {
  return data_->hold->take();
}
void Device::detach() const {
  data_->hold->giveBack();
}
bool Device::isAttached() const {
  return data_->hold->isTaken();
}
void Device::reset() const {}

Device Device::createVirtualDevice(unsigned tilesPerIPU) const {
  auto data = std::make_unique<DeviceData>();
  data->id = data_->id;
  data->target = data_->target.createVirtualTarget(data_->target.getNumIPUs(), tilesPerIPU);
  data->driverIds = data_->driverIds;
  data->hold = data_->hold;
  return Device(std::move(data));
}

Device Device::createCPUDevice(unsigned numIPUs) {
  auto data = std::make_unique<DeviceData>();
  data->target = Target::createCPUTarget(true, numIPUs);
  data->hold->take();
  return Device(std::move(data));
}

Device Device::createSimulatorDevice(const Target& target, const OptionFlags&) {
  if (target.getTargetType() != TargetType::IPU)
    throw poplar_error("a simulator device needs an IPU target");
  auto data = std::make_unique<DeviceData>();
  data->target = target;
  return Device(std::move(data));
}

} // namespace poplar
