// What a program gives to an engine to feed and drain streams.
#pragma once

#include <poplar/StdIncludes.hpp>

namespace poplar {

class StreamCallbackBase {
public:
  enum class Result { Success, NotAvailable };

  virtual ~StreamCallbackBase() {}

  /// The device has taken the data of the last fetch or successful prefetch.
  virtual void complete() {}

  /// Data that was prefetched will not be taken; it must be delivered again.
  virtual void invalidatePrefetched() {}
};

class StreamCallback : public StreamCallbackBase {
public:
  /// May fill the buffer ahead of need. Without data at hand return NotAvailable.
  virtual Result prefetch(void* buffer) {
    (void)buffer;
    return Result::NotAvailable;
  }

  /// Host to device: fill the buffer. Device to host: take the data in it.
  virtual void fetch(void* buffer) = 0;
};

/// For callbacks that only fetch.
class LegacyStreamCallback : public StreamCallback {
public:
  Result prefetch(void* buffer) final { return StreamCallback::prefetch(buffer); }
  void complete() final {}
};

/// Holds any kind of callback: a function of void*, or a unique_ptr to a StreamCallback.
class StreamCallbackHandle {
public:
  template <typename Callback, typename = typename std::enable_if<
                                   std::is_base_of<StreamCallback, Callback>::value>::type>
  StreamCallbackHandle(std::unique_ptr<Callback> callback) : callback_(std::move(callback)) {}

  template <typename F,
            typename = typename std::enable_if<
                std::is_convertible<F, std::function<void(void*)>>::value>::type,
            typename = void>
  StreamCallbackHandle(F&& f) : callback_(std::make_shared<Function>(std::forward<F>(f))) {}

  const std::shared_ptr<StreamCallback>& callback() const { return callback_; }

private:
  class Function : public LegacyStreamCallback {
  public:
    explicit Function(std::function<void(void*)> f) : function_(std::move(f)) {}
    void fetch(void* buffer) override { function_(buffer); }

  private:
    std::function<void(void*)> function_;
  };

  std::shared_ptr<StreamCallback> callback_;
};

} // namespace poplar
