// Finds devices. There is no hardware here: IPU devices are offered only when the environment
// variable IPUMODEL_DEVICES asks for them, "4" or "ipu2:4" for four model-backed IPUs of that
// architecture.
#pragma once

#include <poplar/Device.hpp>
#include <poplar/OptionFlags.hpp>
#include <poplar/TargetType.hpp>

namespace poplar {

class DeviceManager {
public:
  DeviceManager();
  ~DeviceManager();
  DeviceManager(const DeviceManager&);
  DeviceManager(DeviceManager&&) noexcept;
  DeviceManager& operator=(const DeviceManager&);
  DeviceManager& operator=(DeviceManager&&) noexcept;

  static DeviceManager createDeviceManager();

  std::size_t getNumDevices() const;

  /// Every device: one per IPU, then the groups of 2, 4, ... IPUs, then the host.
  std::vector<Device> getDevices(const OptionFlags& opts = {}) const;

  /// The devices of that type with `requiredNumIPUs` IPUs; empty when there is none.
  std::vector<Device> getDevices(TargetType type, unsigned requiredNumIPUs,
                                 const OptionFlags& opts = {}) const;

  Device getDevice(unsigned deviceManagerId, const OptionFlags& opts = {}) const;

  /// The first of those devices that is free, attached. Throws poplar_error when there is none.
  Device acquireAvailableDevice(TargetType type, unsigned requiredNumIPUs,
                                const OptionFlags& opts = {}) const;
  Device acquireAvailableDevice(unsigned requiredNumIPUs) const;
  /// That device, attached. Throws poplar_error when there is none or somebody has it.
  Device acquireDeviceById(unsigned deviceManagerId, const OptionFlags& opts = {}) const;

  /// Ids of the single-IPU devices a group is made of.
  std::vector<unsigned> getChildDeviceIds(unsigned parentId, unsigned numChildIPUs = 1) const;

private:
  unsigned numIPUs_;
  std::string architecture_;
};

} // namespace poplar
