#include <pvti/pvti.hpp>

int main() {
  pvti::TraceChannel channel = {"program"};
  pvti::Tracepoint whole(&channel, "whole");
  pvti::Tracepoint::begin(&channel, "part");
  pvti::Tracepoint::end(&channel, "part");
}
