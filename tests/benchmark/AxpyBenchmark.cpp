// A popc'ed loop against the same loop compiled by clang++ -O3 -march=native, in one run. The bar:
// at most 1.1 times as long.
#include "popc/CodeletLibrary.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstring>
#include <vector>

extern "C" void axpyNative(float a, const float* x, float* y, std::size_t n);

namespace {

using ipumodel::HostSpan;

// Both sides see the same alignment, and arrays that do not fall on one another in the cache.
struct Data {
  explicit Data(std::int64_t n)
      : size(static_cast<std::size_t>(n)),
        memory(2 * size + 1024, 1.f),
        x(memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) / 4),
        y(x + size + 16 * 21) {}
  std::size_t size;
  std::vector<float> memory;
  float *x, *y;
};

void reportRate(benchmark::State& state) {
  state.SetBytesProcessed(state.iterations() * state.range(0) * 12); // two reads and a write
}

void axpyCodelet(benchmark::State& state) {
  ipumodel::CodeletLibrary library;
  library.addFile(AXPY_CODELETS, ipumodel::CodeletSource::GraphProgram, "");
  const ipumodel::VertexType& type = *library.find("Axpy");
  Data data(state.range(0));
  alignas(16) std::byte vertex[64] = {};
  const HostSpan spans[] = {{data.x, data.size}, {data.y, data.size}};
  const float a = 1e-3f;
  std::memcpy(vertex + type.fields[0].offset, &spans[0], sizeof(HostSpan));
  std::memcpy(vertex + type.fields[1].offset, &spans[1], sizeof(HostSpan));
  std::memcpy(vertex + type.fields[2].offset, &a, sizeof(a));
  for (auto _ : state) {
    type.run(vertex, sizeof(vertex), 1, 6);
    benchmark::ClobberMemory();
  }
  reportRate(state);
}

void axpyPlain(benchmark::State& state) {
  Data data(state.range(0));
  for (auto _ : state) {
    axpyNative(1e-3f, data.x, data.y, data.size);
    benchmark::ClobberMemory();
  }
  reportRate(state);
}

BENCHMARK(axpyPlain)->Name("Axpy/plain")->RangeMultiplier(16)->Range(64, 1 << 20);
BENCHMARK(axpyCodelet)->Name("Axpy/codelet")->RangeMultiplier(16)->Range(64, 1 << 20);

} // namespace
