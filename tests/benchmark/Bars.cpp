// Runs the benchmarks of the engine and says how they stand to their bars. With
// --benchmark_repetitions the fastest repetition of each counts.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <map>
#include <string>

namespace {

// Prints as usual and keeps seconds an iteration, by name.
class Times : public benchmark::ConsoleReporter {
public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.iterations == 0)
        continue;
      const std::string name =
          run.run_name.function_name + (run.run_name.args.empty() ? "" : "/" + run.run_name.args);
      const double seconds = run.real_accumulated_time / static_cast<double>(run.iterations);
      const auto known = seconds_.emplace(name, seconds).first;
      known->second = std::min(known->second, seconds);
      if (const auto peak = run.counters.find("peakMB"); peak != run.counters.end())
        peakMB_ = peak->second;
    }
  }

  double peakMB() const { return peakMB_; }
  // 0 if the benchmark did not run.
  double of(const std::string& name) const {
    const auto found = seconds_.find(name);
    return found == seconds_.end() ? 0 : found->second;
  }

private:
  std::map<std::string, double> seconds_;
  double peakMB_ = 0;
};

void row(const char* what, double value, const char* bar, bool met) {
  if (value > 0)
    std::printf("%-52s %10.3f   %-16s %s\n", what, value, bar, met ? "met" : "MISSED");
}

void printBars(const Times& times) {
  const auto ratio = [&](const std::string& a, const std::string& b) {
    return times.of(b) > 0 ? times.of(a) / times.of(b) : 0;
  };
  std::printf("\n");
  const double set = ratio("ComputeSet/engine/account:0", "ComputeSet/loop");
  row("1,472 trivial vertices / plain loop", set, "at most 3", set <= 3);
  const double copy = ratio("Copy/memcpy", "Copy/engine");
  row("100 MB copy, rate / memcpy's", copy, "at least 0.8", copy >= 0.8);
  const double superstep = times.of("Repeat/account:0") / (2048 * 3) * 1e6;
  row("superstep of a long Repeat, microseconds", superstep, "below 10", superstep < 10);
  const double build = times.of("Build/account:0");
  row("graph of 1,000,000 edges, seconds", build, "below 5", build < 5);
  row("  and MB at the peak", times.peakMB(), "below 2048", times.peakMB() < 2048);
  for (const char* n : {"256", "4096", "65536", "1048576"}) {
    const double axpy = ratio(std::string("Axpy/codelet/") + n, std::string("Axpy/plain/") + n);
    row((std::string("axpy of ") + n + ", codelet / native").c_str(), axpy, "at most 1.1",
        axpy <= 1.1);
  }
}

} // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 1;
  Times times;
  benchmark::RunSpecifiedBenchmarks(&times);
  printBars(times);
  return 0;
}
