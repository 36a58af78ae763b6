#include "train/Fingerprint.hpp"

#include "data/DataSet.hpp"

#include <fmt/format.h>
#define XXH_STATIC_LINKING_ONLY // the state's size
#include <xxhash.h>

#include <array>

namespace spillway {

struct Fingerprint::State {
  XXH3_state_t hash;
};

Fingerprint::Fingerprint() : state_(std::make_unique<State>()) {
  XXH3_64bits_reset(&state_->hash);
}

Fingerprint::~Fingerprint() = default;

void Fingerprint::add(std::span<const std::byte> bytes) {
  XXH3_64bits_update(&state_->hash, bytes.data(), bytes.size());
}

std::string Fingerprint::text() const {
  return fmt::format("{:016x}", XXH3_64bits_digest(&state_->hash));
}

std::string describeData(const DataSet& data) {
  constexpr std::uint64_t kSamples = 8; // from the first to the last
  Fingerprint mark;
  const auto add = [&](const auto& values) { mark.add(std::as_bytes(std::span(values))); };
  for (const Split split : {Split::Train, Split::Validation, Split::Test}) {
    const std::uint32_t count = data.numSamples(split);
    for (std::uint64_t i = 0; i < kSamples && count != 0; ++i) {
      const auto sample = static_cast<std::uint32_t>(i * (count - 1) / (kSamples - 1));
      const EventBatch batch = data.batch(split, std::array{sample}, 0, 0);
      add(batch.ids);
      add(batch.values);
      add(batch.counts);
      add(batch.labels);
      add(batch.targets);
    }
  }
  return fmt::format("{}: {} training, {} validation and {} test samples, mark {}",
                     data.info().name, data.numSamples(Split::Train),
                     data.numSamples(Split::Validation), data.numSamples(Split::Test), mark.text());
}

} // namespace spillway
