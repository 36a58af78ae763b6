// What a program gives to an engine to serve Call(HostFunction, ...).
#pragma once

#include <poplar/ArrayRef.hpp>
#include <poplar/StdIncludes.hpp>

namespace poplar {

class HostCallback {
public:
  virtual ~HostCallback() {}

  /// Reads the inputs and writes the outputs, each contiguous, valid during the call.
  virtual void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) = 0;
};

/// Holds a function of (ArrayRef<const void*>, ArrayRef<void*>), or a unique_ptr to a HostCallback.
class HostCallbackHandle {
public:
  typedef std::function<void(ArrayRef<const void*>, ArrayRef<void*>)> Function;

  template <typename Callback, typename = typename std::enable_if<
                                   std::is_base_of<HostCallback, Callback>::value>::type>
  HostCallbackHandle(std::unique_ptr<Callback> callback) : callback_(std::move(callback)) {}

  template <typename F,
            typename = typename std::enable_if<std::is_convertible<F, Function>::value>::type,
            typename = void>
  HostCallbackHandle(F&& f) : callback_(std::make_shared<Wrapped>(std::forward<F>(f))) {}

  const std::shared_ptr<HostCallback>& callback() const { return callback_; }

private:
  class Wrapped : public HostCallback {
  public:
    explicit Wrapped(Function f) : function_(std::move(f)) {}
    void operator()(ArrayRef<const void*> inputs, ArrayRef<void*> outputs) override {
      function_(inputs, outputs);
    }

  private:
    Function function_;
  };

  std::shared_ptr<HostCallback> callback_;
};

} // namespace poplar
