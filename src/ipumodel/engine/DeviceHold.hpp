// Who has which IPUs of a machine: as on hardware, one holder at a time.
#pragma once

#include <vector>

namespace ipumodel {

// The right to use some IPUs, shared by all handles that were made of one handle. Given back when
// the last of them goes.
class DeviceHold {
public:
  // No IPUs: nobody else wants what it stands for, so that it can always be taken.
  explicit DeviceHold(std::vector<int> ipus = {});
  ~DeviceHold();
  DeviceHold(const DeviceHold&) = delete;
  DeviceHold& operator=(const DeviceHold&) = delete;

  // False, and nothing taken, when one of the IPUs is held by somebody else: in this process or, if
  // IPUMODEL_DEVICE_LOCKS names a folder, in another one that was given the same folder.
  bool take();
  void giveBack();
  bool isTaken() const { return isTaken_; }

private:
  bool lockFiles();

  std::vector<int> ipus_;
  std::vector<int> files_; // open descriptors; a lock lives as long as its descriptor
  bool isTaken_ = false;
};

} // namespace ipumodel
