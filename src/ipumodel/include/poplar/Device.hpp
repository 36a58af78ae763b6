// Something an engine can be loaded onto.
#pragma once

#include <poplar/OptionFlags.hpp>
#include <poplar/Target.hpp>

#include <graphcore_target_access/IPUAttributes.h>

#include <set>

namespace ipumodel {
struct DeviceData;
}

namespace poplar {

/// A handle to a device. Movable; a default-constructed device can only be assigned to.
class Device {
public:
  Device();
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  Device(Device&&) noexcept;
  Device& operator=(Device&&) noexcept;

  unsigned getId() const;
  const Target& getTarget() const;
  std::vector<int> getDriverIDs() const;
  std::vector<int> getNumaTopology() const;
  std::set<int> getNumaNodesUsedForIPUs() const;
  void getDriverVersion(unsigned& major, unsigned& minor, unsigned& point) const;
  bool hasGateway() const;
  bool supportsRemoteBuffers() const;
  bool supportsGraphStreaming() const;
  std::map<std::string, std::string> getAttributes() const;
  std::string getAttribute(IPUAttributes::AttributeId id) const;

  /// Takes the device's IPUs. False when another handle of a DeviceManager's has one of them: of
  /// this process or, where the environment variable IPUMODEL_DEVICE_LOCKS names a folder that
  /// processes share, of another. True for any other kind of device, which nobody else can want.
  bool attach() const;
  /// Gives them back, as does the end of the handle.
  void detach() const;
  bool isAttached() const;
  void reset() const;

  /// A device of the same machine with fewer tiles on each IPU.
  Device createVirtualDevice(unsigned tilesPerIPU) const;

  /// Runs on the host; see Target::createCPUTarget.
  static Device createCPUDevice(unsigned numIPUs = 1);

  /// A device that runs programs for an IPU target; the model backs it.
  static Device createSimulatorDevice(const Target& target, const OptionFlags& opts = {});

  explicit Device(std::unique_ptr<ipumodel::DeviceData> data);
  const ipumodel::DeviceData& getImpl() const { return *data_; }

private:
  std::unique_ptr<ipumodel::DeviceData> data_;
};

} // namespace poplar
