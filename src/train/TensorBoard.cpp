#include "train/TensorBoard.hpp"

#include "train/IoError.hpp"

#include <fmt/format.h>

#include <bit>
#include <chrono>

namespace spillway {
namespace {

template <class T>
std::string littleEndian(T value) {
  std::string bytes;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  }
  return bytes;
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) {
    bytes += static_cast<char>((value & 0x7F) | 0x80);
  }
  return bytes + static_cast<char>(value);
}

// Protocol Buffers fields by wire type.
std::string field(int number, int wireType) {
  return varint(static_cast<std::uint64_t>(number << 3 | wireType));
}
std::string lengthDelimited(int number, const std::string& content) {
  return field(number, 2) + varint(content.size()) + content;
}

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string maskedCrc(const std::string& bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return littleEndian<std::uint32_t>(std::rotr(crc, 15) + 0xA282EAD8u);
}

} // namespace

std::uint32_t crc32c(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0x82F63B78u : 0u); // Castagnoli, reflected
    }
  }
  return ~crc;
}

std::string tensorBoardEvent(double wallTime, std::uint64_t step,
                             const std::vector<std::pair<std::string, float>>& scalars) {
  std::string summary;
  for (const auto& [tag, value] : scalars) {
    summary += lengthDelimited(1, lengthDelimited(1, tag) + field(2, 5) +
                                      littleEndian(std::bit_cast<std::uint32_t>(value)));
  }
  return field(1, 1) + littleEndian(std::bit_cast<std::uint64_t>(wallTime)) + field(2, 0) +
         varint(step) + lengthDelimited(5, summary);
}

std::string tfRecord(const std::string& payload) {
  const std::string length = littleEndian<std::uint64_t>(payload.size());
  return length + maskedCrc(length) + payload + maskedCrc(payload);
}

TensorBoardWriter::TensorBoardWriter(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const double time = now();
  file_.emplace(folder / fmt::format("events.out.tfevents.{:.0f}.spillway", time));
  const std::string version = field(1, 1) + littleEndian(std::bit_cast<std::uint64_t>(time)) +
                              lengthDelimited(3, "brain.Event:2");
  file_->append(tfRecord(version));
}

void TensorBoardWriter::write(const MetricsRecord& record) {
  const std::string prefix = record.kind == MetricsKind::Train        ? "train/"
                             : record.kind == MetricsKind::Epoch      ? "epoch/"
                             : record.kind == MetricsKind::Validation ? "validation/"
                                                                      : "test/";
  std::vector<std::pair<std::string, float>> scalars{
      {prefix + "loss", static_cast<float>(record.mean.loss())}};
  if (record.mean.hasClasses()) {
    scalars.emplace_back(prefix + "accuracy", static_cast<float>(record.mean.accuracy()));
  }
  if (record.learningRate) {
    scalars.emplace_back("learningRate", static_cast<float>(*record.learningRate));
  }
  if (record.samplesPerSecond) {
    scalars.emplace_back("samplesPerSecond", static_cast<float>(*record.samplesPerSecond));
  }
  file_->append(tfRecord(tensorBoardEvent(now(), record.update, scalars)));
}

} // namespace spillway
