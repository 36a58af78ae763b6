// Plans of connectionist temporal classification.
#pragma once

#include <iosfwd>
#include <memory>

namespace popnn {
namespace ctc {

/// For what sizes, and whether for the loss or for inference; made by ctc::plan() and
/// ctc_infer::plan(). A default one serves for nothing.
class Plan {
public:
  Plan();
  ~Plan();
  Plan(const Plan& other);
  Plan(Plan&& other);
  Plan& operator=(const Plan& other);
  Plan& operator=(Plan&& other);

  friend bool operator<(const Plan& a, const Plan& b);
  friend bool operator==(const Plan& a, const Plan& b);
  friend std::ostream& operator<<(std::ostream& o, const Plan& p);

  class Impl;
  Impl& getImpl() const { return *impl_; }
  Plan(std::unique_ptr<Impl> impl);

private:
  std::unique_ptr<Impl> impl_;
};

bool operator<(const Plan& a, const Plan& b);
bool operator==(const Plan& a, const Plan& b);
bool operator!=(const Plan& a, const Plan& b);
std::ostream& operator<<(std::ostream& o, const Plan& p);

} // namespace ctc
} // namespace popnn
